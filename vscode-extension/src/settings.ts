// The settings as the server gets them: `auto` is decided here, for only the editor knows what else it runs.

import { workspace } from 'vscode';

export type Provider = 'auto' | 'always' | 'never';

/** Features that other extensions serve too. */
export const SHARED = [
    'callHierarchy',
    'typeHierarchy',
    'documentSymbols',
    'workspaceSymbols',
    'definition',
    'references',
] as const;
export type Shared = (typeof SHARED)[number];

export function provider(feature: Shared): Provider {
    return workspace.getConfiguration('surefoot').get<Provider>(`${feature}.provider`, 'auto');
}

export function forServer(): Record<string, unknown> {
    // A configuration object is a proxy that refuses to be changed.
    const settings = JSON.parse(JSON.stringify(workspace.getConfiguration('surefoot'))) as Record<string, unknown>;
    for (const feature of SHARED) {
        // The server serves it, and neighbours.ts decides for each language whether VS Code hears of it.
        if (provider(feature) === 'auto') {
            const group = settings[feature];
            settings[feature] = { ...(typeof group === 'object' ? group : {}), provider: 'always' };
        }
    }
    return settings;
}
