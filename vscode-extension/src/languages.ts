// The languages Surefoot reads, and the extensions that may serve the same ones.

import { extensions } from 'vscode';

export interface Language {
    /** As in our own messages. */
    name: string;
    /** VS Code's language identifiers. */
    ids: readonly string[];
    /** Extensions that answer call hierarchy and definitions for it. */
    neighbours: readonly string[];
}

const SCRIPT_NEIGHBOURS = [
    'vscode.typescript-language-features',
    'typescriptteam.native-preview',
    'denoland.vscode-deno',
];

const PYTHON_NEIGHBOURS = [
    'ms-python.vscode-pylance',
    'ms-pyright.pyright',
    'detachhead.basedpyright',
    'astral-sh.ty',
    'ms-python.python',
];

export const LANGUAGES: readonly Language[] = [
    { name: 'Rust', ids: ['rust'], neighbours: ['rust-lang.rust-analyzer', 'matklad.rust-analyzer'] },
    { name: 'TypeScript', ids: ['typescript', 'typescriptreact'], neighbours: SCRIPT_NEIGHBOURS },
    { name: 'JavaScript', ids: ['javascript', 'javascriptreact'], neighbours: SCRIPT_NEIGHBOURS },
    { name: 'Python', ids: ['python'], neighbours: PYTHON_NEIGHBOURS },
];

export const LANGUAGE_IDS: readonly string[] = LANGUAGES.flatMap((language) => language.ids);

export function languageOf(id: string): Language | undefined {
    return LANGUAGES.find((language) => language.ids.includes(id));
}

export interface Neighbour {
    id: string;
    /** As users know it. */
    name: string;
    version: string;
    active: boolean;
    exports: unknown;
}

/** The installed and enabled extensions that may answer for this language. */
export function neighbours(language: Language): Neighbour[] {
    return language.neighbours.flatMap((id) => {
        const extension = extensions.getExtension(id);
        if (!extension) {
            return [];
        }
        const manifest = extension.packageJSON as { displayName?: string; version?: string };
        // Built-in extensions have their display name in a translation file: it reads %displayName% here.
        const named = manifest.displayName !== undefined && !manifest.displayName.startsWith('%');
        return {
            id,
            name: named ? manifest.displayName! : id,
            version: manifest.version ?? '',
            active: extension.isActive,
            exports: extension.isActive ? extension.exports : undefined,
        };
    });
}
