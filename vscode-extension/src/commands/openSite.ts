// Opens a place of the code, and lets the user choose one when a row has several.

import { Position, Range, Uri, window } from 'vscode';
import { openCommand, shorten, type OpenSite, type Row } from '../callTree';
import { place } from '../rows';

export async function openSite({ uri, line, character, endLine, endCharacter }: OpenSite): Promise<void> {
    const selection = new Range(new Position(line, character), new Position(endLine, endCharacter));
    await window.showTextDocument(Uri.parse(uri), { selection });
}

/** Where the symbol of a row is declared; a click on the row opens the call. */
export async function openDeclaration(row?: Partial<Row>): Promise<void> {
    if (row?.kind === 'call' && row.symbol) {
        await open({ uri: row.symbol.uri, range: row.symbol.selectionRange });
    }
}

export async function pickSite(row?: Partial<Row>): Promise<void> {
    if (row?.kind !== 'call' || !row.node) {
        return;
    }
    const picked = await window.showQuickPick(
        row.node.sites.map((site) => ({ label: place(site, shorten), site })),
        { title: `Calls in ${row.symbol?.name ?? ''}` },
    );
    if (picked) {
        await open(picked.site);
    }
}

async function open(site: Parameters<typeof openCommand>[0]): Promise<void> {
    const [argument] = openCommand(site).arguments as [OpenSite];
    await openSite(argument);
}
