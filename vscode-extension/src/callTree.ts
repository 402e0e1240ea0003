// The Callers and Callees views: a tree of full depth whose rows are fetched when they are opened.

import {
    EventEmitter,
    MarkdownString,
    ThemeColor,
    ThemeIcon,
    TreeItem,
    TreeItemCollapsibleState,
    Uri,
    window,
    workspace,
    type Command,
    type Disposable,
    type TreeDataProvider,
    type TreeView,
} from 'vscode';
import { callTree, type CallNode, type CallTree, type Direction, type Site, type SymbolRef } from './protocol';
import { QueueOfOne } from './queueOfOne';
import * as rows from './rows';
import type { Server } from './server';
import { symbolIcon } from './symbolIcon';

export type Row =
    | { kind: 'root'; tree: CallTree; path: string }
    | { kind: 'call'; node: CallNode; symbol: SymbolRef; above: readonly string[]; path: string }
    | { kind: 'unplaced'; node: CallNode; tree: CallTree; path: string }
    | { kind: 'site'; site: Site; path: string }
    | { kind: 'floor'; text: string; path: string }
    | { kind: 'empty'; tree: CallTree; path: string }
    | { kind: 'more'; count: number; path: string };

/** Opens a place; the argument of the internal command `surefoot.openSite`. */
export interface OpenSite {
    uri: string;
    line: number;
    character: number;
    endLine: number;
    endCharacter: number;
}

export class CallTreeView implements TreeDataProvider<Row>, Disposable {
    private readonly rowsChanged = new EventEmitter<Row | undefined>();
    readonly onDidChangeTreeData = this.rowsChanged.event;
    private readonly view: TreeView<Row>;
    private readonly disposables: Disposable[] = [this.rowsChanged];
    private readonly queue = new QueueOfOne(() => this.fetchAgain());
    private shown: CallTree | undefined;
    /** Something changed while nobody looked. */
    private stale = false;

    constructor(
        private readonly server: Server,
        readonly direction: Direction,
    ) {
        this.view = window.createTreeView(`surefoot.views.${direction}`, { treeDataProvider: this, showCollapseAll: true });
        this.disposables.push(
            this.view,
            // The handles in the rows belong to the server that gave them.
            server.onDidChangeLife(({ state }) => {
                if (state === 'running') {
                    this.refreshWhenSeen();
                }
            }),
            this.view.onDidChangeVisibility(({ visible }) => {
                if (visible && this.stale) {
                    this.refresh();
                }
            }),
        );
    }

    get root(): SymbolRef | undefined {
        return this.shown?.root;
    }

    async show(tree: CallTree): Promise<void> {
        this.set(tree);
        const root = this.rootOf(tree);
        await this.view.reveal(root, { focus: true, select: true, expand: 1 });
    }

    refresh(): void {
        void this.queue.request();
    }

    /** The graph has changed. */
    refreshWhenSeen(): void {
        if (this.view.visible) {
            this.refresh();
        } else {
            this.stale = true;
        }
    }

    private set(tree: CallTree): void {
        this.shown = tree;
        this.stale = false;
        this.view.title = rows.title(this.direction, tree.root);
        delete this.view.message;
        this.rowsChanged.fire(undefined);
    }

    private async fetchAgain(): Promise<void> {
        const shown = this.shown;
        if (!shown || !this.server.running) {
            return;
        }
        this.stale = false;
        const { direction } = this;
        const { handle, uri, selectionRange } = shown.root;
        // After a restart of the server a handle of the last session means nothing: the place still does.
        const tree =
            (await this.server.request(callTree, { handle, direction }).catch(() => null)) ??
            (await this.server
                .request(callTree, { textDocument: { uri }, position: selectionRange.start, direction })
                .catch(() => null));
        if (shown !== this.shown) {
            return; // The user has asked for something else meanwhile.
        }
        if (tree && tree.root.name === shown.root.name) {
            this.set(tree);
        } else {
            this.view.message = `${shown.root.name} is not there any more. What follows is the last that was known.`;
        }
    }

    getTreeItem(row: Row): TreeItem {
        switch (row.kind) {
            case 'root':
                return item(row, rows.rootRow(row.tree, shorten), {
                    state: TreeItemCollapsibleState.Expanded,
                    icon: symbolIcon(row.tree.root.kind),
                    open: { uri: row.tree.root.uri, range: row.tree.root.selectionRange },
                });
            case 'call': {
                const { node, symbol } = row;
                return item(row, rows.callRow(node, symbol, this.direction, shorten), {
                    state: node.recursion || node.children?.length === 0 ? undefined : TreeItemCollapsibleState.Collapsed,
                    icon: symbolIcon(symbol.kind),
                    open: node.sites[0] ?? { uri: symbol.uri, range: symbol.selectionRange },
                    context: node.sites.length > 1 ? 'call.sites' : 'call',
                });
            }
            case 'unplaced':
                return item(row, rows.unplacedRow(row.node, row.tree.root, row.tree.floor), {
                    state: TreeItemCollapsibleState.Collapsed,
                    icon: new ThemeIcon('question'),
                });
            case 'site': {
                const label = rows.place(row.site, shorten);
                return item(row, { label, description: '', tooltip: rows.escape(label), spoken: label }, {
                    icon: new ThemeIcon('go-to-file'),
                    open: row.site,
                });
            }
            case 'floor':
                return item(row, rows.floorRow(row.text), {
                    icon: new ThemeIcon('warning', new ThemeColor('list.warningForeground')),
                });
            case 'empty':
                return item(row, rows.emptyRow(row.tree), { icon: new ThemeIcon('circle-slash') });
            case 'more': {
                const label = `${row.count} more, not shown`;
                return item(row, { label, description: '', tooltip: label, spoken: label }, { icon: new ThemeIcon('ellipsis') });
            }
        }
    }

    getParent(): undefined {
        // Only the root is ever revealed.
        return undefined;
    }

    async getChildren(row?: Row): Promise<Row[]> {
        if (!row) {
            return this.shown ? [this.rootOf(this.shown)] : [];
        }
        switch (row.kind) {
            case 'root':
                return this.childrenOf(row.tree, [row.tree.root.handle], row.path);
            case 'call': {
                const above = [...row.above, row.symbol.handle];
                if (row.node.children) {
                    const tree = { root: row.symbol, direction: this.direction, floor: null, nodes: row.node.children, truncated: 0 };
                    return this.childrenOf(tree, above, row.path);
                }
                const tree = await this.server.attempt('reading the next level', () =>
                    this.server.request(callTree, { handle: row.symbol.handle, direction: this.direction }),
                );
                return tree ? this.childrenOf(tree, above, row.path) : [];
            }
            case 'unplaced':
                return row.node.sites.map((site, index) => ({ kind: 'site', site, path: `${row.path}/${index}` }));
            default:
                return [];
        }
    }

    private rootOf(tree: CallTree): Row {
        return { kind: 'root', tree, path: tree.root.handle };
    }

    private childrenOf(tree: CallTree, above: readonly string[], path: string): Row[] {
        const children: Row[] = tree.nodes.map((node, index) =>
            node.symbol
                ? {
                      kind: 'call',
                      // One level is asked for at a time, so the server cannot know what stands above it here.
                      node: { ...node, recursion: node.recursion || above.includes(node.symbol.handle) },
                      symbol: node.symbol,
                      above,
                      path: `${path}/${node.symbol.handle}:${node.tier}`,
                  }
                : { kind: 'unplaced', node, tree, path: `${path}/unplaced:${index}` },
        );
        if (!children.some((child) => child.kind === 'call')) {
            children.unshift({ kind: 'empty', tree, path: `${path}/empty` });
        }
        if (tree.truncated > 0) {
            children.push({ kind: 'more', count: tree.truncated, path: `${path}/more` });
        }
        if (tree.floor !== null) {
            children.push({ kind: 'floor', text: tree.floor, path: `${path}/floor` });
        }
        return children;
    }

    dispose(): void {
        for (const disposable of this.disposables) {
            disposable.dispose();
        }
    }
}

function item(
    row: Row,
    text: rows.Text,
    more: { state?: TreeItemCollapsibleState | undefined; icon: ThemeIcon; open?: Site; context?: string },
): TreeItem {
    const made = new TreeItem(text.label, more.state ?? TreeItemCollapsibleState.None);
    made.id = row.path;
    made.description = text.description;
    made.tooltip = new MarkdownString(text.tooltip);
    made.accessibilityInformation = { label: text.spoken, role: 'treeitem' };
    made.iconPath = more.icon;
    made.contextValue = more.context ?? row.kind;
    if (more.open) {
        made.command = openCommand(more.open);
    }
    return made;
}

export function openCommand(site: Site): Command {
    const { start, end } = site.range;
    const argument: OpenSite = {
        uri: site.uri,
        line: start.line,
        character: start.character,
        endLine: end.line,
        endCharacter: end.character,
    };
    return { command: 'surefoot.openSite', title: 'Open', arguments: [argument] };
}

export function shorten(uri: string): string {
    return workspace.asRelativePath(Uri.parse(uri));
}
