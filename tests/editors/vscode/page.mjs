// The HTML report in a browser: what a person finds on it, that it asks nobody anything, and that everybody can read it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { becomes, browse, cases, needed, until } from './support.mjs';

const workspace = join(dirname(fileURLToPath(import.meta.url)), '..', 'workspace');
const ARMS = Array.from({ length: 12 }, (_, n) => `        case ${n}: return ${n};\n`).join('');
/** A cycle, a hotspot, calls that nothing places, text that does not parse, a name that is markup. */
const MORE = {
    'ring/a.ts': "import { b } from './b';\nexport function a() { return b(); }\n",
    'ring/b.ts': "import { a } from './a';\nexport function b() { return a(); }\n",
    'ring/pick.ts': `export function pick(n: number): number {\n    switch (n) {\n${ARMS}    }\n    return n;\n}\n`,
    'ring/open.ts': 'export function open(given: any, table: any, n: number) {\n    given.go();\n    table[n]();\n}\n',
    'ring/half.ts': 'export function half( {{{\n',
    'ring/markup.ts': "export const o = { '<img src=x onerror=globalThis.ran=1>'() { return o; } };\n",
};

/** The page of a tree, opened from the disk in a browser without a network; what it asked for is counted. */
async function withPage(body, media = {}) {
    const scratch = mkdtempSync(join(tmpdir(), 'surefoot-page-'));
    let browser;
    try {
        const tree = join(scratch, 'shop');
        cpSync(workspace, tree, { recursive: true });
        mkdirSync(join(tree, 'ring'));
        for (const [file, text] of Object.entries(MORE)) writeFileSync(join(tree, file), text);
        const [json, html] = [join(scratch, 'report.json'), join(scratch, 'report.html')];
        const made = spawnSync(needed('SUREFOOT_SERVER'), ['analyze', tree, '--report', json, '--export', html], { encoding: 'utf8' });
        assert.equal(made.status, 0, made.stderr);
        browser = await browse();
        const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true, ...media });
        const page = await context.newPage();
        const asked = [];
        const broken = [];
        page.on('request', (request) => asked.push(request.url()));
        page.on('pageerror', (error) => broken.push(error.message));
        page.on('console', (message) => message.type() === 'error' && broken.push(message.text()));
        await page.goto(pathToFileURL(html).href);
        await body(page, JSON.parse(readText(json)), scratch);
        assert.deepEqual(asked, [pathToFileURL(html).href], 'the page is one file and asks for nothing else');
        assert.deepEqual(broken, [], 'nothing on the page fails or is forbidden to it');
    } finally {
        await browser?.close();
        rmSync(scratch, { recursive: true, force: true });
    }
}

function readText(path) {
    return spawnSync('cat', [path], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout;
}

/** The rows of the table below a heading, as text. */
function rows(page, id) {
    return page.$$eval(`#${id} ~ .scroll`, (all, heading) => {
        const before = (element) => {
            let at = element.previousElementSibling;
            while (at && at.tagName !== 'H2') at = at.previousElementSibling;
            return at?.id;
        };
        const tables = all.filter((each) => before(each) === heading);
        return tables.flatMap((each) => [...each.querySelectorAll('tbody tr')]
            .map((row) => [...row.children].map((cell) => cell.innerText.trim())));
    }, id);
}

await cases({
    'the numbers on the page are those of the report': () => withPage(async (page, report) => {
        const tiles = Object.fromEntries(await page.$$eval('.tiles div', (all) =>
            all.map((each) => [each.querySelector('dt').innerText, each.querySelector('dd').innerText])));
        const placed = report.call_edges.filter((edge) => edge.resolution === 'in_tree').length;
        assert.equal(tiles['Source files'], String(Object.keys(report.file_hashes).length));
        assert.equal(tiles.Declarations, String(report.entities.length));
        assert.equal(tiles.Calls, String(report.call_edges.length));
        assert.equal(tiles['Placed in this tree'], String(placed));
        assert.equal(tiles.Hotspots, String(report.hotspots.length));
        assert.equal(tiles['Import cycles'], String(report.dependency_cycles.length));
        assert.equal(tiles['Risk index'], report.risk_index.score.toFixed(3));

        const calls = Object.fromEntries((await rows(page, 'calls')).map((row) => [row[0], Number(row[1])]));
        for (const [outcome, count] of Object.entries(calls)) {
            assert.equal(count, report.call_edges.filter((edge) => edge.resolution === outcome).length, outcome);
        }
        const gaps = report.call_edges.filter(({ resolution }) => resolution === 'unresolved' || resolution === 'undetermined');
        assert.ok(gaps.length > 0);
        assert.equal((await rows(page, 'gaps')).reduce((sum, row) => sum + Number(row[1]), 0), gaps.length);
        assert.deepEqual((await rows(page, 'hotspots')).map((row) => [row[0], Number(row[2])]),
            report.hotspots.map((hot) => [hot.entity, hot.score]));
        assert.ok(report.hotspots.some((hot) => hot.entity === 'ring/pick.ts::pick'));
        assert.deepEqual((await rows(page, 'cycles')).map((row) => row[1].split('\n')), report.dependency_cycles);
        assert.ok((await rows(page, 'left-out')).some((row) => row[0] === 'ring/half.ts'));
        const complexity = await rows(page, 'complexity');
        const counted = Object.values(report.metrics_by_entity).filter((each) => each.cyclomatic_complexity !== undefined);
        assert.equal(complexity.slice(0, 5).reduce((sum, row) => sum + Number(row[1]), 0), counted.length);
        assert.deepEqual(complexity.at(-1).slice(2), [report.risk_index.score, report.production.risk_index.score].map(String));
        assert.equal(await page.evaluate(() => globalThis.ran), undefined, 'no text of the tree runs');
    }),

    'a declaration is found by words of its name, file and kind': () => withPage(async (page, report) => {
        const found = () => page.locator('#found').innerText();
        const searchable = report.entities.filter(({ kind }) => kind !== 'module').length;
        await becomes('the count', found, `${searchable} declarations can be searched.`);
        await page.getByLabel('Name, file or kind').fill('PICK function');
        await becomes('the answer', found, '1 declaration');
        const cells = await page.$$eval('#results tr:first-child td', (all) => all.map((each) => each.innerText));
        const metrics = report.metrics_by_entity['ring/pick.ts::pick'];
        assert.deepEqual(cells, ['ring/pick.ts::pick', 'function', '1', String(metrics.cyclomatic_complexity),
            String(metrics.cognitive_complexity), String(metrics.fan_in), String(metrics.fan_out), String(metrics.depth)]);
        await page.getByLabel('Name, file or kind').fill('onerror');
        await until('the markup as text', async () => (await page.locator('#results').innerText()).includes('<img src=x'));
        await page.getByLabel('Name, file or kind').fill('nothing is called this');
        await becomes('no answer', found, '0 declarations');
    }),

    'everybody can read it': async () => {
        for (const colorScheme of ['light', 'dark']) {
            await withPage(async (page) => {
                assert.deepEqual(await page.evaluate(faults), [], colorScheme);
                // By the keyboard alone: past the head of the page, then to a section.
                await page.keyboard.press('Tab');
                assert.equal(await page.evaluate(() => document.activeElement.innerText), 'Skip to the report');
                await page.keyboard.press('Enter');
                assert.match(page.url(), /#main$/);
            }, { colorScheme });
        }
    },

    'it prints all that is on it, and nothing that is not for paper': () => withPage(async (page) => {
        await page.emulateMedia({ media: 'print' });
        for (const [part, seen] of [['nav', false], ['#search', false], ['h1', true], ['#hotspots', true], ['.tiles', true]]) {
            assert.equal(await page.locator(part).first().isVisible(), seen, part);
        }
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
        assert.equal(wide, false, 'nothing is cut at the right');
        const pdf = await page.pdf({ format: 'A4' });
        assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    }),
});

/** In the page: what keeps somebody from reading it. */
function faults() {
    const out = [];
    const expect = (fine, what) => fine || out.push(what);
    const seen = (element) => element.checkVisibility({ visibilityProperty: true });
    expect(document.documentElement.lang === 'en', 'no language');
    expect(document.title.startsWith('Surefoot report of'), 'no title');
    for (const landmark of ['header', 'nav', 'main', 'footer']) {
        expect(document.querySelectorAll(landmark).length === 1, `not one ${landmark}`);
    }
    for (const nav of document.querySelectorAll('nav')) expect(nav.ariaLabel, 'a nav without a name');
    let level = 0;
    for (const heading of document.querySelectorAll('h1, h2, h3, h4')) {
        const own = Number(heading.tagName[1]);
        expect(own <= level + 1, `a heading leaves out a level: ${heading.innerText}`);
        expect(heading.innerText.trim() !== '' || !seen(heading), 'an empty heading');
        level = own;
    }
    expect(document.querySelectorAll('h1').length === 1, 'not one h1');
    for (const link of document.querySelectorAll('a')) {
        expect(link.innerText.trim() !== '', 'a link without a text');
        const to = link.getAttribute('href');
        expect(to.startsWith('#') && document.querySelector(to), `a link that leads nowhere: ${to}`);
    }
    for (const field of document.querySelectorAll('input, select, textarea')) {
        expect(field.labels.length > 0 || field.ariaLabel, `a field without a label: ${field.id}`);
    }
    for (const table of document.querySelectorAll('table')) {
        expect(table.caption?.innerText.trim() !== '', 'a table without a caption');
        expect(table.querySelectorAll('th[scope=col]').length > 1, 'a table without heads');
    }
    const ids = [...document.querySelectorAll('[id]')].map((each) => each.id);
    expect(new Set(ids).size === ids.length, 'an id is given twice');
    for (const focus of document.querySelectorAll('[tabindex]')) expect(focus.tabIndex <= 0, 'an order of its own for the keyboard');

    // Text against what is behind it, by the formula of WCAG 2.
    const channels = (color) => color.match(/[\d.]+/g).map(Number);
    const light = (color) => {
        const [r, g, b] = channels(color).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const color = getComputedStyle(at).backgroundColor;
            if ((channels(color)[3] ?? 1) > 0) return color;
        }
        return 'rgb(255, 255, 255)';
    };
    const dull = new Set();
    for (const element of document.querySelectorAll('body *')) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
        if (!own || !seen(element) || ['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(element.tagName)) continue;
        const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4.5) dull.add(`${element.tagName} ${contrast.toFixed(2)}: ${element.innerText.slice(0, 30)}`);
    }
    return [...out, ...dull];
}
