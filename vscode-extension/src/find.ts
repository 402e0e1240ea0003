// Finds the server's binary: the user's setting, the one that came with the extension, the one on the PATH.

import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

export type Found = { path: string; from: 'setting' | 'extension' | 'PATH' } | { missing: string };

const NAME = process.platform === 'win32' ? 'surefoot.exe' : 'surefoot';

export function findServer(setting: string, extensionFolder: string, searchPath: string): Found {
    if (setting !== '') {
        const path = setting.replace(/^~(?=[/\\]|$)/, homedir());
        // No falling back: who names a program wants that one, or to hear that it is not there.
        return isProgram(path)
            ? { path, from: 'setting' }
            : { missing: `The setting surefoot.server.path names ${path}, which is no program that can be started.` };
    }
    const bundled = join(extensionFolder, 'server', NAME);
    if (isProgram(bundled)) {
        return { path: bundled, from: 'extension' };
    }
    for (const folder of searchPath.split(delimiter)) {
        const path = join(folder, NAME);
        if (folder !== '' && isProgram(path)) {
            return { path, from: 'PATH' };
        }
    }
    return {
        missing:
            'The Surefoot server was not found: this extension came without one, and there is no `surefoot` on the PATH. ' +
            'Build it with `cargo xtask install`, or name it in the setting surefoot.server.path.',
    };
}

function isProgram(path: string): boolean {
    try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
    } catch {
        return false;
    }
}
