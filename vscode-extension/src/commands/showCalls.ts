// `Surefoot: Show Callers` and `Show Callees`: of the symbol at the cursor, or of a row of our own trees.

import { window } from 'vscode';
import type { CallTreeView, Row } from '../callTree';
import type { Neighbours } from '../neighbours';
import { callTree, type Subject } from '../protocol';
import type { Server } from '../server';

export function showCalls(server: Server, view: CallTreeView, neighbours: Neighbours) {
    return async (row?: Partial<Row>): Promise<void> => {
        const editor = window.activeTextEditor;
        const subject = subjectOf(row) ?? (editor && { ...atCursor(server, editor) });
        if (!subject) {
            void window.showInformationMessage('Surefoot: put the cursor on a function first.');
            return;
        }
        const tree = await server.attempt(`looking for ${view.direction}`, () =>
            server.request(callTree, { ...subject, direction: view.direction }),
        );
        if (tree === undefined) {
            return;
        }
        if (tree === null) {
            void window.showInformationMessage('Surefoot: no function or call stands at the cursor.');
            return;
        }
        await view.show(tree);
        if (editor) {
            await neighbours.offer(editor.document.languageId);
        }
    };
}

/** The same symbol in the other direction, from the title of a view. */
export function turn(server: Server, from: CallTreeView, to: CallTreeView) {
    return async (): Promise<void> => {
        const root = from.root;
        if (!root) {
            return;
        }
        const tree = await server.attempt(`looking for ${to.direction}`, () =>
            server.request(callTree, { handle: root.handle, direction: to.direction }),
        );
        if (tree) {
            await to.show(tree);
        }
    };
}

function subjectOf(row: Partial<Row> | undefined): Subject | undefined {
    if (row?.kind === 'call' && row.symbol) {
        return { handle: row.symbol.handle };
    }
    return row?.kind === 'root' && row.tree ? { handle: row.tree.root.handle } : undefined;
}

export function atCursor(server: Server, editor: NonNullable<typeof window.activeTextEditor>) {
    // Without a client there are no converters, and the request says that nothing runs.
    const convert = server.running?.code2ProtocolConverter;
    return {
        textDocument: { uri: convert?.asUri(editor.document.uri) ?? editor.document.uri.toString() },
        position: { line: editor.selection.active.line, character: editor.selection.active.character },
    };
}
