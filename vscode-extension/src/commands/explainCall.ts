// `Surefoot: Explain This Call`: what became of the call at the cursor, and how that is known.

import { window } from 'vscode';
import { showExplanation, type Pages } from '../explain';
import { explain } from '../protocol';
import type { Server } from '../server';
import { atCursor } from './showCalls';

export function explainCall(server: Server, pages: Pages) {
    return async (): Promise<void> => {
        const editor = window.activeTextEditor;
        if (!editor) {
            void window.showInformationMessage('Surefoot: put the cursor on a call first.');
            return;
        }
        const explanation = await server.attempt('explaining the call', () =>
            server.request(explain, atCursor(server, editor)),
        );
        if (explanation === null) {
            void window.showInformationMessage('Surefoot: no call stands at the cursor.');
        } else if (explanation) {
            showExplanation(explanation, pages);
        }
    };
}
