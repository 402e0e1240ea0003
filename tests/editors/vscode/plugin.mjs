// The extension against a scripted server: rows, messages and states that a real server gives only now and then.

import assert from 'node:assert/strict';
import { becomes, cases, existsSync, fakeServer, join, until, withWorkbench } from './support.mjs';

const CALLERS = [
    [1, 'load', 'at least 2 callers (+1 possible) · src/store.rs'],
    [2, 'buy', '● certain · use-import · src/cart.rs:5'],
    [2, 'peek', '◐ likely · use-import · by rust-analyzer 1.85.1 · src/cart.rs:10 ×2'],
    [2, 'checkout', '○ possible · value · src/cart.rs:14 · passed as a value'],
    [2, 'Unplaced: 1 call named load', '? no-receiver-type'],
    [2, 'This list may be short: 1 call of `load` is not placed.', ''],
];

const rows = async (w, direction = 'callers') =>
    ((await w.tree(direction))?.rows ?? []).map(({ depth, label, description }) => [depth, label, description]);

await cases({
    'callers show tier, rule, resolver, floor and unplaced calls, open level by level and mark recursion': () =>
        withWorkbench({ name: 'tree', server: (scratch) => fakeServer(scratch) }, async (w) => {
            await w.open('src/store.rs', 6, 'load');
            await w.command('Surefoot: Show Callers');
            await becomes('the callers', () => rows(w), CALLERS);
            const tree = await w.tree('callers');
            assert.equal(tree.title, 'Callers of load', 'the direction stands in the title');
            assert.equal(
                tree.rows[1].spoken,
                'called by cart › buy, certain, by the rule use-import, 1 call, src/cart.rs line 5',
                'a screen reader hears the tier as a word',
            );

            await w.row('buy').click();
            await becomes('a click to open the call', () => w.cursor(), 'Ln 5, Col 46');
            assert.equal(await w.activeFile(), 'cart.rs');

            await w.expand('buy');
            await becomes('the next level', async () => (await rows(w))[2], [3, 'checkout', '● certain · same-module · src/cart.rs:14']);

            await w.open('src/store.rs', 20, 'countdown');
            await w.command('Surefoot: Show Callers');
            await becomes('a recursion that is marked and not expanded', () => rows(w), [
                [1, 'countdown', '1 caller · src/store.rs'],
                [2, 'countdown ↻', '● certain · same-module · recursion · src/store.rs:21'],
            ]);

            await w.open('src/store.rs', 1, 'struct');
            await w.command('Surefoot: Show Callers');
            await until('a word about a place without a function', async () =>
                (await w.said()).includes('Surefoot: no function or call stands at the cursor.'));
        }),

    'a click on a lens opens the callers, and the tree follows a restart of the server': () =>
        withWorkbench({ name: 'lens', server: (scratch) => fakeServer(scratch) }, async (w) => {
            await w.open('src/store.rs');
            await becomes('the lenses', () => w.lenses(), { 6: 'cyclomatic 1 · 4 callers · rev 1', 20: 'cyclomatic 1 · 1 callers · rev 1' });
            await w.page.locator('.codelens-decoration a').first().click();
            await becomes('the callers', () => rows(w), CALLERS);
            await w.command('Surefoot: Restart Server');
            await until('the server to be back', async () => (await w.statusBar())?.includes('Ready'));
            await w.expand('buy');
            await becomes('a level from the new server', async () => (await rows(w))[2], [3, 'checkout', '● certain · same-module · src/cart.rs:14']);
        }),

    'an explanation lists what a call rests on and what was refused, and opens each place': () =>
        withWorkbench({ name: 'explain', server: (scratch) => fakeServer(scratch) }, async (w) => {
            await w.open('src/cart.rs', 5, 'load(');
            await w.command('Surefoot: Explain This Call');
            await becomes('the explanation', async () => (await w.picks()).map(({ label, description, detail }) => [label, description, detail]), [
                ['● certain by use-import · in this tree', '', ''],
                ['store › load', 'src/store.rs:6', ''],
                ['use crate::store::load;', 'import · src/cart.rs:1', ''],
                ['cart › peek', 'src/cart.rs:9', 'another name'],
            ]);
            await w.page.locator('.quick-input-list .monaco-list-row', { hasText: 'use crate::store::load;' }).click();
            await becomes('the import', () => w.cursor(), 'Ln 1, Col 23');
        }),

    'export offers to save, writes where it is told, and verify names the file that differs': () =>
        withWorkbench({ name: 'report', server: (scratch) => fakeServer(scratch) }, async (w) => {
            await w.open('src/store.rs', 14, 'return');
            await w.type('/* changed */ ');
            await w.command('Surefoot: Export Verifiable Report');
            await w.page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Save All' }).click();
            const report = join(w.folder, 'surefoot-report.json');
            await w.dialog(report);
            await until('the report', () => existsSync(report));
            await until('a word about it', async () =>
                (await w.said()).includes('Report of shop written: 12 entities, 7 calls, snapshot abcdef012345.'));
            await w.closeMessages();

            await w.command('Surefoot: Verify Report');
            await w.dialog(report);
            await until('the verdict', async () => (await w.activeFile()) === 'Verdict.txt');
            await until('the verdict to read', async () => /^not\sverified/.test(await w.page.textContent('.editor-instance .view-lines')));
            await becomes(
                'the problem',
                () => w.problems(),
                ['store.rs: Differs from the report: its digest (surefoot verify)'],
            );
        }),

    'a comparison with a snapshot is a page, and problems on the files that changed': () =>
        withWorkbench({ name: 'compare', server: (scratch) => fakeServer(scratch) }, async (w) => {
            await w.open('src/store.rs');
            await w.command('Surefoot: Compare With Snapshot');
            await w.page.locator('.quick-input-list .monaco-list-row', { hasText: 'base' }).click();
            await until('the comparison', async () => (await w.activeFile()) === 'Comparison.txt');
            await becomes('the problem', () => w.problems(), ['store.rs: changed since the snapshot (surefoot compare)']);
        }),

    'a missing server is said with what to do, and one of another version is shown': async () => {
        const path = (scratch) => join(scratch, 'fake-surefoot');
        await withWorkbench({ name: 'missing', server: path }, async (w) => {
            await w.open('src/store.rs');
            const missing = `The setting surefoot.server.path names ${path(w.scratch)}, which is no program that can be started.`;
            await until('a word about it', async () => (await w.said()).includes(`Surefoot: ${missing}`));
            assert.equal(await w.statusBar(), `Surefoot: ${missing}`);
            await w.command('Surefoot: Show Callers');
            const message = 'Surefoot: looking for callers: The Surefoot server is not running.';
            await until('a command to say that nothing runs', async () => (await w.said()).includes(message));
            // It is built meanwhile: nothing has to be reloaded.
            fakeServer(w.scratch, { FAKE_VERSION: '7.1.0' });
            await w.pressMessageButton(message, 'Restart Server');
            await becomes('the server of another version', () => w.statusBar(), 'Surefoot: the extension is 0.1.0, the server 7.1.0');
        });
    },

    'the menu of the status says what is read and who answers the call hierarchy of VS Code': () =>
        withWorkbench({ name: 'status', server: (scratch) => fakeServer(scratch) }, async (w) => {
            await w.open('src/store.rs');
            await until('the server', async () => (await w.statusBar())?.includes('Ready'));
            await w.command('Surefoot: Show Status');
            await until('the menu', async () => (await w.picks()).length > 5);
            const labels = (await w.picks()).map(({ label }) => label);
            assert.ok(labels.includes('5 files, 12 symbols'), labels.join('\n'));
            assert.ok(labels.includes('Rust: Surefoot'), labels.join('\n'));
            assert.ok(labels.includes('TypeScript: TypeScript and JavaScript Language Features'), labels.join('\n'));
        }),
});
