// How a call came to its target: a list of the places it rests on, or the same as a page.

import {
    commands,
    EventEmitter,
    QuickPickItemKind,
    ThemeIcon,
    Uri,
    window,
    workspace,
    type Disposable,
    type QuickPickItem,
    type TextDocumentContentProvider,
} from 'vscode';
import { openCommand, shorten } from './callTree';
import type { Explanation, Site, SymbolRef } from './protocol';
import { evidenceLine, place, qualified } from './rows';
import { symbolIcon } from './symbolIcon';

const RESOLUTIONS: Record<Explanation['resolution'], string> = {
    in_tree: 'in this tree',
    outside: 'outside this tree: a package or the standard library',
    unresolved: 'unresolved: it should be in this tree, and is not',
    parameter: 'a value held by a parameter',
    local: 'a value held by a local',
    undetermined: 'undetermined: the source alone does not say',
};

/** Pages that are made, not kept: explanations and verdicts. */
export class Pages implements TextDocumentContentProvider, Disposable {
    static readonly SCHEME = 'surefoot';
    private readonly texts = new Map<string, string>();
    private readonly changed = new EventEmitter<Uri>();
    private readonly registration = workspace.registerTextDocumentContentProvider(Pages.SCHEME, this);
    readonly onDidChange = this.changed.event;

    provideTextDocumentContent(uri: Uri): string {
        return this.texts.get(uri.path) ?? 'This page belongs to an earlier session.';
    }

    /** One page per title: showing it again replaces it. */
    put(name: string, text: string): Uri {
        const uri = Uri.from({ scheme: Pages.SCHEME, path: `/${name}` });
        this.texts.set(uri.path, text);
        this.changed.fire(uri);
        return uri;
    }

    dispose(): void {
        this.registration.dispose();
        this.changed.dispose();
    }
}

type Item = QuickPickItem & { site?: Site };

export function showExplanation(explanation: Explanation, pages: Pages): void {
    const pick = window.createQuickPick<Item>();
    const asPage = { iconPath: new ThemeIcon('open-preview'), tooltip: 'Open as a Page' };
    pick.title = explanation.title;
    pick.placeholder = headline(explanation);
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.buttons = [asPage];
    pick.items = items(explanation);
    pick.onDidTriggerButton(async () => {
        const uri = pages.put('Explanation.md', explanation.markdown);
        pick.hide();
        await commands.executeCommand('markdown.showPreview', uri);
    });
    pick.onDidAccept(async () => {
        const site = pick.selectedItems[0]?.site;
        pick.hide();
        if (site) {
            const { command, arguments: args } = openCommand(site);
            await commands.executeCommand(command, ...(args ?? []));
        }
    });
    pick.onDidHide(() => pick.dispose());
    pick.show();
}

function headline(explanation: Explanation): string {
    const cause = explanation.cause === null ? '' : ` (${explanation.cause})`;
    return explanation.evidence
        ? `${evidenceLine(explanation.evidence)} · ${RESOLUTIONS[explanation.resolution]}${cause}`
        : `${RESOLUTIONS[explanation.resolution]}${cause}`;
}

function items(explanation: Explanation): Item[] {
    const out: Item[] = [];
    const group = (label: string, rows: Item[]) => {
        if (rows.length > 0) {
            out.push({ label, kind: QuickPickItemKind.Separator }, ...rows);
        }
    };
    group('resolution', [
        { label: headline(explanation), alwaysShow: true, iconPath: new ThemeIcon('info'), site: explanation.site },
    ]);
    group('target', explanation.target ? [symbolItem(explanation.target, undefined)] : []);
    group(
        'rests on',
        (explanation.evidence?.via ?? []).map((via) => ({
            label: via.line.trim() || '(the line is empty)',
            description: `${via.role} · ${place(via, shorten)}`,
            iconPath: new ThemeIcon('link'),
            site: via,
        })),
    );
    group(
        'may run, each counted apart',
        explanation.candidates.map(({ symbol, note }) => symbolItem(symbol, note)),
    );
    group(
        'refused',
        explanation.refused.map(({ symbol, why }) => symbolItem(symbol, why)),
    );
    return out;
}

function symbolItem(symbol: SymbolRef, detail: string | undefined): Item {
    const site = { uri: symbol.uri, range: symbol.selectionRange };
    return {
        label: qualified(symbol),
        description: place(site, shorten),
        ...(detail === undefined ? {} : { detail }),
        iconPath: symbolIcon(symbol.kind),
        site,
    };
}
