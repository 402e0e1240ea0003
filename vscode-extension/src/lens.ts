// A click on a lens: the server's commands answer with a call tree, which the views then show.

import type { Middleware } from 'vscode-languageclient/node';
import type { CallTreeView } from './callTree';
import type { CallTree } from './protocol';

export function lensMiddleware(callers: CallTreeView, callees: CallTreeView): Middleware {
    return {
        executeCommand: async (command, args, next) => {
            const answer = (await next(command, args)) as unknown;
            const view = command === 'surefoot.callers' ? callers : command === 'surefoot.callees' ? callees : undefined;
            if (view && isCallTree(answer)) {
                await view.show(answer);
            }
            return answer;
        },
    };
}

function isCallTree(answer: unknown): answer is CallTree {
    return typeof answer === 'object' && answer !== null && 'root' in answer && 'nodes' in answer;
}
