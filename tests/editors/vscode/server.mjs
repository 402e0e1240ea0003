// The real server in the real workbench: what is on the screen is compared with what `surefoot callers` says of the same
// files, before and after typing.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { becomes, cases, existsSync, join, needed, readFileSync, until, withWorkbench, writeFileSync } from './support.mjs';

const SERVER = needed('SUREFOOT_SERVER');
const GLYPHS = { certain: '●', likely: '◐', possible: '○' };

/** What the command line says of the files as they are on the disk. */
const cli = (w, at) =>
    JSON.parse(execFileSync(SERVER, ['callers', at, '--root', w.folder, '--format', 'json'], { encoding: 'utf8' }));

const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
const counted = (answer) => answer.callers.filter(({ tier }) => tier !== 'possible');

/** ` (+1 possible, +1 as a value)`: what is never counted with the callers. */
function apartOf(answer) {
    const beside = answer.callers.filter(({ tier }) => tier === 'possible');
    const named = beside.filter((row) => row.named).length;
    const possible = beside.length - named;
    const parts = [
        ...(possible > 0 ? [`+${possible} possible`] : []),
        ...(named > 0 ? [`+${named} as a value`] : []),
    ];
    return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

/** `2 callers in 1 file (+1 possible)`, as a lens should say it of this answer. */
function lensWords(answer) {
    const callers = counted(answer);
    const files = new Set(callers.map(({ file }) => file)).size;
    const many = plural(callers.length, 'caller');
    return [
        answer.floor === null ? many : callers.length === 0 ? '? callers' : `≥${many}`,
        callers.length > 0 ? ` in ${plural(files, 'file')}` : '',
        apartOf(answer),
    ].join('');
}

/** The rows our own tree should have: label and description. */
function treeRows(answer) {
    const callers = counted(answer);
    const apart = apartOf(answer);
    const least = answer.floor === null ? '' : 'at least ';
    const rows = [[answer.root.name, `${least}${plural(callers.length, 'caller')}${apart} · ${answer.root.file}`]];
    if (answer.callers.length === 0) {
        rows.push([answer.floor === null ? 'No callers found' : 'No callers found, and the list may be short', '']);
    }
    for (const { name, tier, rule, resolver, sites, recursion } of answer.callers) {
        const place = `${sites[0].file}:${sites[0].line}${sites.length > 1 ? ` ×${sites.length}` : ''}`;
        const by = resolver === 'static' ? [] : [`by ${resolver}`];
        const again = recursion ? ['recursion'] : [];
        rows.push([recursion ? `${name} ↻` : name, [`${GLYPHS[tier]} ${tier}`, rule, ...by, ...again, place].join(' · ')]);
    }
    if (answer.unplaced.length > 0) rows.push([`Unplaced: ${plural(answer.unplaced.length, 'call')} named ${answer.root.name}`]);
    if (answer.floor !== null) rows.push([answer.floor, '']);
    return rows;
}

/** What stands in our own tree, in the same form: the note of possible and unplaced rows is the server's own. */
const shown = async (w, answer) =>
    ((await w.tree('callers'))?.rows ?? []).map(({ label, description }, index) => {
        const wanted = treeRows(answer)[index]?.[1];
        if (wanted === undefined) return [label];
        return [label, description.startsWith(`${wanted} · `) && description.startsWith('○') ? wanted : description];
    });

async function treeEquals(w, at) {
    const answer = cli(w, at);
    await becomes(`the tree of ${at} to equal the command line's list`, () => shown(w, answer), treeRows(answer));
}

async function lensesEqual(w, file) {
    const lenses = await until(`lenses in ${file}`, async () => {
        const found = await w.lenses();
        return Object.keys(found).length > 0 && found;
    });
    for (const [line, text] of Object.entries(lenses)) {
        const answer = cli(w, `${file}:${line}`);
        assert.equal(answer.root.line, Number(line));
        const words = lensWords(answer);
        assert.ok(text.includes(words), `${file}:${line} says "${text}", and the list is "${words}"`);
    }
}

async function panelOf(w, file, line, name) {
    await w.open(file, line, name);
    await w.command('Calls: Show Call Hierarchy');
}

/** The panel with tiers is ours; each caller of the list stands in it once, with its tier and rule. */
async function panelIsOurs(w, file, line, name) {
    const answer = cli(w, `${file}:${line}`);
    const wanted = answer.callers.map(({ name, tier, rule }) => `${name} ${tier}: ${rule}`);
    const rows = async () =>
        (await w.panel()).rows
            .filter(([depth]) => depth === 2)
            .map(([, label, description]) => `${label} ${/\w+: [\w-]+/.exec(description)?.[0] ?? description}`);
    // A panel does not change by itself when the answerer changes: it is asked anew, as a person would.
    await until('the panel to show the callers of the command line', async () => {
        await panelOf(w, file, line, name);
        return until('its rows', async () => JSON.stringify(await rows()) === JSON.stringify(wanted), 5000);
    }).catch(async (error) => assert.deepEqual(await rows(), wanted, error.message));
    assert.match((await w.panel()).title, /Callers Of/i, 'the first view shows callers');
}

// Which class `make` makes is only inferred.
const LENT = `import { Basket } from "./prices";

function make<T>(of: new () => T): T {
  return new of();
}

export function lend(): void {
  make(Basket).add("pear");
}
`;

await cases({
    'Rust: lenses, callers, hover and explanation say what the command line says, before and after typing': () =>
        withWorkbench({ name: 'rust' }, async (w) => {
            for (const file of ['src/store.rs', 'src/cart.rs']) {
                await w.open(file);
                await lensesEqual(w, file);
            }
            for (const [line, name] of [[6, 'load'], [12, 'total'], [20, 'countdown'], [25, 'cost']]) {
                await w.open('src/store.rs', line, name);
                await w.command('Surefoot: Show Callers');
                await treeEquals(w, `src/store.rs:${line}`);
            }
            await w.open('src/cart.rs', 5, 'load(');
            assert.match(await w.hover(), /load \[certain: import\]/);
            await w.command('Surefoot: Explain This Call');
            await until('the import in the explanation', async () =>
                (await w.picks()).some(({ label, description }) => label === 'use crate::store::load;' && description === 'import · src/cart.rs:1'));
            await w.page.keyboard.press('Escape');

            // The click on a lens.
            await w.open('src/store.rs');
            await until('the lens of load', async () => (await w.lenses())[6]);
            await w.page.locator('.editor-instance .codelens-decoration a', { hasText: '2 callers in 1 file' }).first().click();
            await treeEquals(w, 'src/store.rs:6');

            // The tree of load stays on the screen while a caller is typed elsewhere.
            await w.open('src/cart.rs', 14, 'buy("apple")');
            await w.type('load("plum").price + ');
            const root = async () => (await w.tree('callers'))?.rows[0]?.description;
            await becomes('the tree to follow the typing', root, '3 callers · src/store.rs');
            assert.equal(counted(cli(w, 'src/store.rs:6')).length, 2, 'the disk knows nothing of it');
            await w.press('Control+KeyS');
            await until('the file to be written', () => readFileSync(join(w.folder, 'src/cart.rs'), 'utf8').includes('plum'));
            await treeEquals(w, 'src/store.rs:6');
            await w.open('src/store.rs');
            await until('the lens to follow', async () => (await w.lenses())[6]?.includes('3 callers in 1 file'));
            await lensesEqual(w, 'src/store.rs');
        }),

    'Rust, callHierarchy.provider = auto, no other extension: VS Code\'s own panel shows our callers': () =>
        withWorkbench({ name: 'panel-rust' }, async (w) => {
            await panelIsOurs(w, 'src/store.rs', 6, 'load');
            await w.open('src/cart.rs', 14, 'buy("apple")');
            await w.type('load("plum").price + ');
            await w.press('Control+KeyS');
            await panelIsOurs(w, 'src/store.rs', 6, 'load');
        }),

    'TypeScript, callHierarchy.provider = always: VS Code\'s own panel shows our callers': () =>
        withWorkbench({ name: 'panel-always', settings: { 'surefoot.callHierarchy.provider': 'always' } }, async (w) => {
            for (const file of ['web/src/prices.ts', 'web/src/page.tsx']) {
                await w.open(file);
                await lensesEqual(w, file);
            }
            await panelIsOurs(w, 'web/src/prices.ts', 1, 'price');
        }),

    'TypeScript, callHierarchy.provider = auto: the panel stays with VS Code\'s own support until the user is asked and says otherwise': () =>
        withWorkbench({ name: 'panel-auto' }, async (w) => {
            await panelOf(w, 'web/src/prices.ts', 1, 'price');
            await until('the callers of TypeScript\'s own server', async () => (await w.panel()).rows.length === 3);
            assert.doesNotMatch(JSON.stringify(await w.panel()), /certain/);

            // Our own tree is there all the same, and the question comes with it, once.
            await w.open('web/src/prices.ts', 1, 'price');
            await w.command('Surefoot: Show Callers');
            await treeEquals(w, 'web/src/prices.ts:1');
            const question = 'Who should answer Call Hierarchy?';
            await until('the question', async () => (await w.messages()).some((message) => message.includes(question)));
            await w.pressMessageButton(question, 'Surefoot');
            await panelIsOurs(w, 'web/src/prices.ts', 1, 'price');
            await w.open('web/src/prices.ts', 11, 'add');
            await w.command('Surefoot: Show Callers');
            await treeEquals(w, 'web/src/prices.ts:11');
            assert.deepEqual(await w.messages(), [], 'it is asked once');
        }),

    'TypeScript: a call that the source alone cannot place is placed by VS Code\'s own support, and the row says by whom': () =>
        withWorkbench({ name: 'ask', files: { 'web/src/lent.ts': LENT } }, async (w) => {
            const unplaced = cli(w, 'web/src/prices.ts:11').unplaced.map(({ file }) => file);
            assert.ok(unplaced.includes('web/src/lent.ts'), 'choose another call for this test: the source places this one by now');
            await w.open('web/src/lent.ts', 8, 'add');
            await w.open('web/src/prices.ts', 11, 'add');
            await w.command('Surefoot: Show Callers');
            // Asked when nobody types, and again when TypeScript's server was still starting.
            const row = await until('the borrowed row', async () =>
                (await w.tree('callers'))?.rows.find(({ label }) => label === 'lend'), 90_000);
            assert.match(row.description, / · by vscode\.typescript-language-features .*via VS Code.* · web\/src\/lent\.ts:8$/);
        }),

    'a report is exported and verified from the palette, and one changed byte is named': () =>
        withWorkbench({ name: 'report' }, async (w) => {
            const report = join(w.folder, 'surefoot-report.json');
            await w.open('src/store.rs');
            await until('the server', async () => (await w.statusBar())?.includes('Ready'));
            await w.command('Surefoot: Export Verifiable Report');
            await w.dialog(report);
            await until('the report', () => existsSync(report) && readFileSync(report, 'utf8').includes('"snapshot_id"'));
            const page = join(w.folder, 'surefoot-report.html');
            await until('the page', () => existsSync(page) && readFileSync(page, 'utf8').startsWith('<!doctype html>'));
            await w.closeMessages();
            await w.command('Surefoot: Compare With Snapshot');
            await w.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Keep a snapshot' }).click();
            // The list, not the toast: VS Code does not show every one.
            await until('the snapshot', async () => {
                await w.command('Surefoot: Compare With Snapshot');
                const rows = w.page.locator('.quick-input-list .monaco-list-row');
                await rows.filter({ hasText: 'Keep a snapshot' }).waitFor();
                const kept = await rows.allTextContents();
                await w.page.keyboard.press('Escape');
                return kept.length > 1;
            });
            await w.closeMessages();
            await w.command('Surefoot: Verify Report');
            await w.dialog(report);
            // The page, not the toast: a toast goes by itself.
            const verdict = async () => ((await w.activeFile()) === 'Verdict.txt' ? w.page.textContent('.editor-instance .view-lines') : '');
            await until('the verdict', async () => (await verdict()).startsWith('verified'));
            await w.closeMessages();

            const cart = join(w.folder, 'src/cart.rs');
            writeFileSync(cart, readFileSync(cart, 'utf8').replace('"pear"', '"peas"'));
            await w.command('Surefoot: Verify Report');
            await w.dialog(report);
            await until('the file in Problems', async () => (await w.problems()).some((problem) => problem.startsWith('cart.rs: Differs from the report')));
            assert.ok(!(await w.problems()).some((problem) => problem.startsWith('store.rs: Differs')));
            await w.command('Surefoot: Compare With Snapshot');
            await w.page.locator('.quick-input-list .monaco-list-row').first().click();
            await until('what changed', async () => (await w.problems()).some((problem) => problem.startsWith('cart.rs: changed since the snapshot')));
        }),
});
