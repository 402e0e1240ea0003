// `Surefoot: Show Disagreements`: the calls of which another language server says otherwise, to choose one and open it.

import { window } from 'vscode';
import { openCommand, shorten, type OpenSite } from '../callTree';
import { disagreements, type SymbolRef } from '../protocol';
import { place } from '../rows';
import type { Server } from '../server';
import { openSite } from './openSite';

export function showDisagreements(server: Server) {
    return async (): Promise<void> => {
        const found = await server.attempt('looking for disagreements', () => server.request(disagreements, null));
        if (!found) {
            return;
        }
        if (found.length === 0) {
            void window.showInformationMessage('Surefoot: no other server that was asked says otherwise.');
            return;
        }
        const picked = await window.showQuickPick(
            found.map((row) => ({
                label: row.name,
                description: place(row.site, shorten),
                detail: `Surefoot: ${named(row.own)}${row.tier ? ` [${row.tier}: ${row.rule ?? ''}]` : ''} · ${row.resolver}: ${named(row.theirs)}`,
                site: row.site,
            })),
            { title: `Disagreements (${found.length})`, matchOnDescription: true, matchOnDetail: true },
        );
        if (picked) {
            const [argument] = openCommand(picked.site).arguments as [OpenSite];
            await openSite(argument);
        }
    };
}

function named(symbol: SymbolRef | null): string {
    return symbol ? [symbol.container, symbol.name].filter(Boolean).join('::') : 'outside this folder';
}
