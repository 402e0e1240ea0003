// Makes docs/images/callers-vscode.png and docs/images/report.png: the real extension, and the page of a report, on this
// repository's own source.
//
//   cargo xtask editors code screenshot

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { browse, needed, until, withWorkbench } from './support.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const images = join(root, 'docs', 'images');

const scratch = mkdtempSync(join(tmpdir(), 'surefoot-page-'));
const html = join(scratch, 'report.html');
const made = spawnSync(needed('SUREFOOT_SERVER'), ['analyze', root, '--export', html], { encoding: 'utf8' });
assert.equal(made.status, 0, made.stderr);
const browser = await browse();
try {
    const page = await browser.newPage({ viewport: { width: 1180, height: 1180 }, colorScheme: 'light' });
    await page.goto(pathToFileURL(html).href);
    await page.screenshot({ path: join(images, 'report.png') });
} finally {
    await browser.close();
    rmSync(scratch, { recursive: true, force: true });
}

await withWorkbench({ name: 'screenshot', source: root, size: [1500, 860], settings: { 'breadcrumbs.enabled': false } }, async (w) => {
    const { page } = w;
    await w.open('resolver/facts/src/language.rs', 22, 'extensions');
    await until('the lens', async () => /\d+ callers in \d+ files/.test((await w.lenses())[22] ?? ''), 120_000);
    // Wide enough to read what a row says.
    const edge = await page.locator('.part.sidebar').boundingBox();
    await page.mouse.move(edge.x + edge.width, 400);
    await page.mouse.down();
    await page.mouse.move(690, 400, { steps: 5 });
    await page.mouse.up();
    await w.command('Surefoot: Show Callers');
    await until('the callers', async () => (await w.tree('callers'))?.rows.length > 4);
    await w.expand('Unplaced');
    await until('the unplaced call', async () => (await w.tree('callers'))?.rows.some(({ depth, label }) => depth === 3 && label.includes(':')));
    // No pointer, no hover, no message in the picture.
    await page.mouse.move(1100, 840);
    await page.screenshot({ path: join(images, 'callers-vscode.png') });
});
