// The icon VS Code itself shows for a kind of symbol.

import { ThemeColor, ThemeIcon } from 'vscode';
import { SymbolKind } from 'vscode-languageclient/node';

const NAMES = new Map<SymbolKind, string>([
    [SymbolKind.File, 'file'],
    [SymbolKind.Module, 'module'],
    [SymbolKind.Namespace, 'namespace'],
    [SymbolKind.Package, 'package'],
    [SymbolKind.Class, 'class'],
    [SymbolKind.Method, 'method'],
    [SymbolKind.Property, 'property'],
    [SymbolKind.Field, 'field'],
    [SymbolKind.Constructor, 'constructor'],
    [SymbolKind.Enum, 'enum'],
    [SymbolKind.Interface, 'interface'],
    [SymbolKind.Function, 'function'],
    [SymbolKind.Variable, 'variable'],
    [SymbolKind.Constant, 'constant'],
    [SymbolKind.Object, 'object'],
    [SymbolKind.EnumMember, 'enum-member'],
    [SymbolKind.Struct, 'struct'],
    [SymbolKind.Operator, 'operator'],
    [SymbolKind.TypeParameter, 'type-parameter'],
]);

export function symbolIcon(kind: SymbolKind): ThemeIcon {
    const name = NAMES.get(kind) ?? 'misc';
    const color = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    return new ThemeIcon(`symbol-${name}`, name === 'misc' ? undefined : new ThemeColor(`symbolIcon.${color}Foreground`));
}
