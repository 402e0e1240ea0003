import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { findServer } from './find';
import { QueueOfOne } from './queueOfOne';
import { versionsDiffer } from './version';

test('ten restarts asked for at once are two, for each one costs the user the whole index', async () => {
    let runs = 0;
    const release: (() => void)[] = [];
    const queue = new QueueOfOne(() => new Promise((resolve) => { runs += 1; release.push(resolve); }));
    const all = Array.from({ length: 10 }, () => queue.request());
    release.shift()!();
    await all[0];
    await new Promise(setImmediate);
    assert.equal(runs, 2);
    release.shift()!();
    await Promise.all(all);
    assert.equal(runs, 2);
});

test('a restart that fails does not block the next one', async () => {
    let fail = true;
    const queue = new QueueOfOne(async () => { if (fail) throw new Error('no'); });
    const first = queue.request();
    const second = queue.request();
    await assert.rejects(first);
    await assert.rejects(second);
    fail = false;
    await queue.request();
});

test('the server of the setting wins over the bundled one and that over the PATH, and a wrong setting is said', () => {
    const folder = mkdtempSync(join(tmpdir(), 'surefoot-find-'));
    try {
        const name = process.platform === 'win32' ? 'surefoot.exe' : 'surefoot';
        const program = (...parts: string[]) => {
            mkdirSync(join(folder, ...parts), { recursive: true });
            const path = join(folder, ...parts, name);
            writeFileSync(path, '');
            chmodSync(path, 0o755);
            return path;
        };
        const search = ['', join(folder, 'nowhere'), join(folder, 'bin')].join(delimiter);
        assert.ok('missing' in findServer('', folder, search));
        const onPath = program('bin');
        assert.deepEqual(findServer('', folder, search), { path: onPath, from: 'PATH' });
        const bundled = program('server');
        assert.deepEqual(findServer('', folder, search), { path: bundled, from: 'extension' });
        const own = program('own');
        assert.deepEqual(findServer(own, folder, search), { path: own, from: 'setting' });
        const wrong = findServer(join(folder, 'own'), folder, search);
        assert.ok('missing' in wrong && wrong.missing.includes('surefoot.server.path'));
    } finally {
        rmSync(folder, { recursive: true });
    }
});

test('extension and server fit when major and minor agree', () => {
    assert.ok(!versionsDiffer('0.1.0', '0.1.7'));
    assert.ok(versionsDiffer('0.1.0', '0.2.0'));
    assert.ok(versionsDiffer('0.1.0', undefined));
});
