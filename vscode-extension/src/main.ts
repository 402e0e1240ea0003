// The extension's wiring: makes the parts and registers their commands.

import { commands, window, type ExtensionContext } from 'vscode';
import { askPart } from './ask';
import { CallTreeView } from './callTree';
import { explainCall } from './commands/explainCall';
import { openDeclaration, openSite, pickSite } from './commands/openSite';
import { showCalls, turn } from './commands/showCalls';
import { showDisagreements } from './commands/showDisagreements';
import { Pages } from './explain';
import { Hierarchies } from './hierarchy';
import { lensMiddleware } from './lens';
import { Neighbours } from './neighbours';
import { changed } from './protocol';
import { Reports } from './report';
import { Server } from './server';
import { StatusItem } from './status';

let server: Server | undefined;

export function activate(context: ExtensionContext): void {
    const log = window.createOutputChannel('Surefoot', { log: true });
    server = new Server(context, log);
    const pages = new Pages();
    const neighbours = new Neighbours(context);
    const callers = new CallTreeView(server, 'callers');
    const callees = new CallTreeView(server, 'callees');
    const status = new StatusItem(server, neighbours, pages);
    const reports = new Reports(server, pages);

    server.add({ middleware: neighbours.middleware });
    server.add({ middleware: lensMiddleware(callers, callees) });
    server.add(askPart(neighbours));
    server.add({
        // A client keeps one handler for each notification.
        attach: (client) =>
            client.onNotification(changed, () => {
                callers.refreshWhenSeen();
                callees.refreshWhenSeen();
            }),
    });
    server.add(status.part);

    const register = (name: string, run: (...args: never[]) => unknown) =>
        commands.registerCommand(`surefoot.${name}`, run as (...args: unknown[]) => unknown);
    context.subscriptions.push(
        log,
        pages,
        neighbours,
        callers,
        callees,
        status,
        reports,
        new Hierarchies(server, neighbours),
        register('showCallers', showCalls(server, callers, neighbours)),
        register('showCallees', showCalls(server, callees, neighbours)),
        register('turnToCallees', turn(server, callers, callees)),
        register('turnToCallers', turn(server, callees, callers)),
        register('refreshCallers', () => callers.refresh()),
        register('refreshCallees', () => callees.refresh()),
        register('explainCall', explainCall(server, pages)),
        register('showDisagreements', showDisagreements(server)),
        register('exportReport', () => reports.export()),
        register('verifyReport', () => reports.verify()),
        register('compareWithSnapshot', () => reports.compareWithSnapshot()),
        register('restartServer', () => server?.restart()),
        register('showStatus', () => status.showMenu()),
        register('openSite', openSite),
        register('openDeclaration', openDeclaration),
        register('pickSite', pickSite),
    );
    void server.restart();
}

export async function deactivate(): Promise<void> {
    await server?.dispose();
}
