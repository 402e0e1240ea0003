// What the tests of VS Code share: a workbench with our extension in a real browser, and ways to read and use it.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
/** Where setup.sh has put code-server and playwright-core. */
const cache = needed('SUREFOOT_EDITORS_CACHE');
const requireThere = createRequire(join(cache, 'code', 'package.json'));
export const FAKE = join(here, '..', 'fake', 'server.mjs');
const WORKSPACE = join(here, '..', 'workspace');
/** No condition of a test may take longer, on a slow machine either. */
export const DEADLINE = 45_000;
const MODIFIER = process.platform === 'darwin' ? 'Meta' : 'Control';

export function needed(name) {
    const value = process.env[name];
    assert.ok(value, `${name} is not set: run this with cargo xtask editors`);
    return value;
}

/** Waits until `condition` gives something true and returns it; says what it saw last when it never does. */
export async function until(what, condition, deadline = DEADLINE) {
    const end = Date.now() + deadline;
    let last;
    for (;;) {
        try {
            last = await condition();
            if (last) return last;
        } catch (error) {
            if (error instanceof TypeError || error instanceof ReferenceError) throw error;
            last = error.message;
        }
        if (Date.now() > end) {
            throw new Error(`waited ${deadline / 1000} s for ${what}; last seen: ${JSON.stringify(last)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50)); // polls: the condition
    }
}

/** Waits until `read` gives exactly this. */
export async function becomes(what, read, wanted) {
    let seen;
    const text = JSON.stringify(wanted);
    await until(what, async () => JSON.stringify((seen = await read())) === text).catch((error) => {
        assert.deepEqual(seen, wanted, error.message);
    });
}

function freePort() {
    return new Promise((resolve) => {
        const probe = createServer().listen(0, '127.0.0.1', () => {
            const { port } = probe.address();
            probe.close(() => resolve(port));
        });
    });
}

/** A program that starts the scripted server, for the setting surefoot.server.path. */
export function fakeServer(folder, environment = {}) {
    const path = join(folder, 'fake-surefoot');
    const exports = Object.entries(environment).map(([key, value]) => `${key}='${value}' `).join('');
    writeFileSync(path, `#!/bin/sh\n${exports}exec '${process.execPath}' '${FAKE}' surefoot "$@"\n`);
    chmodSync(path, 0o755);
    return path;
}

/** A browser that finds nobody but this machine. */
export function browse() {
    const { chromium } = requireThere('playwright-core');
    return chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--disable-sync', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
    });
}

/** Code that runs in a workbench of its own, on a fresh copy of the workspace; everything is gone afterwards. */
export async function withWorkbench({ name, settings = {}, server, source = WORKSPACE, files = {}, size = [1360, 860] }, body) {
    const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'surefoot-code-')));
    const folder = join(scratch, source === WORKSPACE ? 'shop' : basename(source));
    const extensions = join(scratch, 'extensions');
    const user = join(scratch, 'user');
    const left = new Set(['.git', 'dist', 'node_modules', 'target']);
    cpSync(source, folder, { recursive: true, filter: (from) => !left.has(basename(from)) });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    mkdirSync(join(user, 'User'), { recursive: true });
    const path = typeof server === 'function' ? server(scratch) : server;
    writeFileSync(
        join(user, 'User', 'settings.json'),
        JSON.stringify({ ...QUIET, ...(path ? { 'surefoot.server.path': path } : {}), ...settings }),
    );

    const code = join(cache, 'code', 'node_modules', 'code-server');
    const environment = {
        ...process.env,
        // Nothing that runs here has any business elsewhere.
        EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: 'http://127.0.0.1:9', itemUrl: 'http://127.0.0.1:9', resourceUrlTemplate: 'http://127.0.0.1:9' }),
        XDG_DATA_HOME: join(scratch, 'data'),
        XDG_CONFIG_HOME: join(scratch, 'config'),
        SUREFOOT_SNAPSHOT_DIR: join(scratch, 'snapshots'),
        PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    };
    delete environment.VSCODE_IPC_HOOK_CLI;
    const common = ['--user-data-dir', user, '--extensions-dir', extensions];
    const installed = spawnSync(process.execPath, [code, '--install-extension', needed('SUREFOOT_VSIX'), ...common], {
        env: environment, encoding: 'utf8', timeout: 120_000,
    });
    assert.match(installed.stdout + installed.stderr, /was successfully installed/, 'the VSIX installs');

    const port = await freePort();
    const workbench = spawn(
        process.execPath,
        [code, '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none', '--disable-telemetry', '--disable-update-check',
            '--disable-workspace-trust', ...common, folder],
        { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    running.add(workbench);
    let said = '';
    workbench.stdout.on('data', (chunk) => (said += chunk));
    workbench.stderr.on('data', (chunk) => (said += chunk));
    let browser;
    let page;
    try {
        await until('code-server to listen', () => said.includes('HTTP server listening'));
        browser = await browse();
        const context = await browser.newContext({ viewport: { width: size[0], height: size[1] } });
        page = await context.newPage();
        await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`, { timeout: DEADLINE });
        await page.waitForSelector('.monaco-workbench .part.statusbar', { timeout: DEADLINE });
        await page.evaluate(remember);
        await body(new Workbench(page, folder, scratch));
    } catch (error) {
        await keep(name, page, said, user);
        throw error;
    } finally {
        await browser?.close();
        await ended(workbench);
        rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
    }
}

/** Workbenches that run: who interrupts a test must not leave them behind, they live in groups of their own. */
const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
        for (const { pid } of running) process.kill(-pid, 'SIGKILL');
        process.exit(1);
    });
}

/** Ends the workbench with everything it started: its extension host and our server live in its process group. */
async function ended(workbench) {
    const gone = new Promise((resolve) => workbench.on('exit', resolve));
    try {
        process.kill(-workbench.pid, 'SIGTERM');
        await Promise.race([gone, new Promise((late) => setTimeout(late, 5000))]);
        process.kill(-workbench.pid, 'SIGKILL');
    } catch {
        // Already gone.
    }
    running.delete(workbench);
}

/** What a person needs to see why a test failed. */
async function keep(name, page, said, user) {
    const folder = join(cache, 'failures', name);
    mkdirSync(folder, { recursive: true });
    await page?.screenshot({ path: join(folder, 'page.png') }).catch(() => undefined);
    writeFileSync(join(folder, 'code-server.log'), said);
    spawnSync('sh', ['-c', `find '${user}' -name '*Surefoot*.log' -exec cp {} '${folder}' ';'`]);
    console.error(`  what was on the screen, and the logs: ${folder}`);
}

const QUIET = {
    'chat.commandCenter.enabled': false,
    'editor.minimap.enabled': false,
    'extensions.autoCheckUpdates': false,
    'extensions.autoUpdate': false,
    'extensions.ignoreRecommendations': true,
    'files.autoSave': 'off',
    'files.simpleDialog.enable': true,
    'git.enabled': false,
    'npm.fetchOnlinePackageInfo': false,
    'telemetry.telemetryLevel': 'off',
    'typescript.disableAutomaticTypeAcquisition': true,
    'update.mode': 'none',
    'window.restoreWindows': 'none',
    'workbench.colorTheme': 'Default Dark Modern',
    'workbench.enableExperiments': false,
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'workbench.startupEditor': 'none',
    'workbench.tips.enabled': false,
};

export class Workbench {
    constructor(page, folder, scratch) {
        this.page = page;
        this.folder = folder;
        this.scratch = scratch;
    }

    get quickInput() {
        return this.page.locator('.quick-input-widget:visible .quick-input-box input');
    }

    /** Opens a quick input by a key, fills it and accepts its first row. What took the focus meanwhile closes it: again then. */
    async pick(what, key, text, fits) {
        await until(what, async () => {
            if (!(await this.quickInput.isVisible())) await this.page.keyboard.press(key);
            await this.quickInput.fill(text, { timeout: 1000 });
            return until(what, async () => fits(await this.page.locator('.quick-input-list .monaco-list-row').first().getAttribute('aria-label', { timeout: 200 })), 3000);
        });
        await this.page.keyboard.press('Enter');
    }

    /** Runs a command from the palette, by its full title. */
    async command(title) {
        await this.pick(`the palette to offer ${title}`, 'F1', `>${title}`, (first) => first?.startsWith(title));
    }

    /** Types into the editor, once it has the focus. */
    async type(text) {
        await this.editing();
        await this.page.keyboard.type(text);
    }

    async press(key) {
        await this.editing();
        await this.page.keyboard.press(key);
    }

    async editing() {
        await until('the editor to have the focus', () => this.page.evaluate(() =>
            document.activeElement?.closest('.editor-instance .monaco-editor') !== null
                && ![...document.querySelectorAll('.quick-input-widget')].some((each) => each.offsetParent !== null)));
    }

    /** Opens a file of the workspace with the cursor on a text of one of its lines. */
    async open(file, line = 1, text = undefined) {
        const content = readFileSync(join(this.folder, file), 'utf8').split('\n')[line - 1];
        const at = text === undefined ? 0 : content.indexOf(text);
        assert.ok(at >= 0, `${file}:${line} has no ${text}`);
        const name = file.split('/').at(-1);
        await this.pick(`quick open to find ${file}`, `${MODIFIER}+KeyP`, file, (first) => first?.startsWith(name));
        await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]`, { timeout: DEADLINE });
        await this.editing();
        await this.pick(`line ${line}`, 'Control+KeyG', `:${line}:${at + 1}`, (first) => first?.includes(String(line)));
        // The column of the status bar counts characters, all others UTF-16.
        await becomes('the cursor', () => this.cursor(), `Ln ${line}, Col ${[...content.slice(0, at)].length + 1}`);
        await this.editing();
    }

    /** `Ln 5, Col 3` as the status bar has it. */
    async cursor() {
        const text = await this.page.locator('#status\\.editor\\.selection').innerText();
        return text.replace(/ \(.*/, '').trim();
    }

    async activeFile() {
        return this.page.locator('.tab.active').first().getAttribute('data-resource-name');
    }

    /** The lenses on the screen: line -> text. A lens stands right above its line. */
    async lenses() {
        return this.page.evaluate(() => {
            const top = (element) => element.getBoundingClientRect().top;
            const numbers = [...document.querySelectorAll('.editor-instance .line-numbers')]
                .map((element) => ({ top: top(element), line: Number(element.textContent) }))
                .sort((a, b) => a.top - b.top);
            const out = {};
            for (const lens of document.querySelectorAll('.editor-instance .codelens-decoration')) {
                const text = lens.textContent.replace(/\s+/g, ' ').trim();
                // One that is scrolled away is kept, hidden, in its old place.
                const seen = lens.checkVisibility({ visibilityProperty: true }) && top(lens) > 0;
                const line = numbers.find((number) => number.top > top(lens))?.line;
                if (seen && text !== '' && line) out[line] = text;
            }
            return out;
        });
    }

    /** VS Code's own call hierarchy: its title, and rows with depth, label and description. */
    async panel() {
        return this.page.evaluate(() => {
            const sidebar = document.querySelector('.part.sidebar');
            return {
                title: sidebar.querySelector('.composite.title h2')?.textContent ?? '',
                rows: [...sidebar.querySelectorAll('.monaco-list-row')]
                    .sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
                    .map((row) => [
                        Number(row.getAttribute('aria-level')),
                        row.querySelector('.label-name')?.textContent ?? '',
                        row.querySelector('.label-description')?.textContent ?? '',
                    ]),
            };
        });
    }

    /** What a hover at the cursor says. */
    async hover() {
        await this.command('Show or Focus Hover');
        return until('the hover', async () =>
            (await this.page.$$eval('.monaco-hover:not(.hidden) .hover-contents', (all) => all.map((each) => each.innerText).join('\n'))).trim());
    }

    /** Our own tree as it stands: title, and rows with their depth, label and description. */
    async tree(direction) {
        return this.page.evaluate((name) => {
            const pane = [...document.querySelectorAll('.pane')].find((each) =>
                each.querySelector('.pane-header')?.getAttribute('aria-label')?.includes(name));
            if (!pane) return undefined;
            const rows = [...pane.querySelectorAll('.monaco-list-row')]
                .sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
                .map((row) => ({
                    depth: Number(row.getAttribute('aria-level')),
                    label: row.querySelector('.label-name')?.textContent ?? '',
                    description: row.querySelector('.label-description')?.textContent ?? '',
                    spoken: row.getAttribute('aria-label') ?? '',
                }));
            return { title: pane.querySelector('.pane-header h3')?.textContent ?? '', rows };
        }, direction === 'callers' ? 'Callers' : 'Callees');
    }

    /** A row of our own trees, to be clicked. */
    row(label) {
        return this.page.locator('.pane .monaco-list-row').filter({ hasText: new RegExp(`^${label.replace(/[^\w]/g, '\\$&')}`) }).first();
    }

    /** Opens a row of our own trees; a click on its text would open the call. */
    async expand(label) {
        await this.row(label).locator('.monaco-tl-twistie').click();
    }

    /** The messages on the screen. */
    async messages() {
        return this.page.$$eval('.notifications-toasts .notification-list-item-message, .notifications-center .notification-list-item-message', (all) =>
            all.map((each) => each.textContent));
    }

    /** What messages said since they were last cleared: a toast goes by itself, looked at or not. */
    async said() {
        const before = await this.page.evaluate(() => globalThis.toastsSeen);
        return [...before, ...(await this.messages())];
    }

    async pressMessageButton(message, button) {
        const item = this.page.locator('.notification-list-item', { hasText: message }).first();
        await item.locator('.monaco-button', { hasText: button }).click();
    }

    async closeMessages() {
        await this.command('Notifications: Clear All Notifications');
        await this.page.evaluate(() => { globalThis.toastsSeen.length = 0; });
    }

    /** Rows of the quick pick on the screen. */
    async picks() {
        return this.page.$$eval('.quick-input-list .monaco-list-row', (all) =>
            all.map((row) => ({
                group: row.querySelector('.quick-input-list-separator')?.textContent ?? '',
                label: row.querySelector('.label-name')?.textContent ?? '',
                description: row.querySelector('.label-description')?.textContent ?? '',
                detail: row.querySelector('.quick-input-list-label-meta')?.textContent ?? '',
            })));
    }

    /** The rows of the Problems view: `file: message (source)`. */
    async problems() {
        if (!(await this.page.locator('.markers-panel').isVisible())) await this.command('Problems: Focus on Problems View');
        return this.page.$$eval('.markers-panel .monaco-list-row', (all) => {
            let file = '';
            return all.flatMap((row) => {
                const name = row.querySelector('.resource-label-container .label-name')?.textContent;
                if (name !== undefined) {
                    file = name;
                    return [];
                }
                const source = row.querySelector('.marker-source')?.textContent ?? '';
                const text = row.querySelector('.marker-message-line')?.textContent ?? '';
                return [`${file}: ${text.slice(0, text.lastIndexOf(source))} (${source})`];
            });
        });
    }

    /** Accepts what VS Code's simple file dialog proposes, which must be this path. */
    async dialog(path) {
        await becomes('the file dialog', async () => ((await this.quickInput.isVisible()) ? this.quickInput.inputValue() : ''), path);
        // While it still reads the folder it takes no answer.
        await until('the dialog to take the answer', async () => {
            if (!(await this.quickInput.isVisible())) return true;
            // Into the dialog alone: one that closed meanwhile would leave the key to the editor.
            await this.quickInput.press('Enter', { timeout: 1000 });
            return false;
        });
    }

    async statusBar() {
        return this.page.locator('[id="surefoot.surefoot.surefoot.status"], [id*="surefoot.status"]').first().getAttribute('aria-label');
    }
}

/** In the page: keeps the text of every toast from when it appears. */
function remember() {
    globalThis.toastsSeen = [];
    new MutationObserver(() => {
        for (const each of document.querySelectorAll('.notifications-toasts .notification-list-item-message')) {
            if (each.textContent && !globalThis.toastsSeen.includes(each.textContent)) globalThis.toastsSeen.push(each.textContent);
        }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
}

/** Runs the cases of a file in order; each has its own name and all of them are told. */
export async function cases(all) {
    let failed = 0;
    let flaky = 0;
    const only = process.env.SUREFOOT_CASE;
    for (const [name, body] of Object.entries(all)) {
        if (only && !name.includes(only)) continue;
        const started = Date.now();
        const seconds = () => ((Date.now() - started) / 1000).toFixed(1);
        const told = (error) => String(error.stack ?? error).replaceAll('\n', '\n  ');
        try {
            await body();
            console.log(`ok ${name} (${seconds()} s)`);
        } catch (first) {
            // Each case has a workbench of its own: once more tells a slow browser from a fault.
            console.log(`failed once: ${name}\n  ${told(first)}`);
            try {
                await body();
                flaky += 1;
                console.log(`FLAKY ${name}: passed when run again (${seconds()} s)`);
            } catch (error) {
                failed += 1;
                console.log(`NOT OK ${name}\n  ${told(error)}`);
            }
        }
    }
    console.log(`${Object.keys(all).length} cases, ${failed} failed${flaky ? `, ${flaky} passed only when run again` : ''}`);
    process.exitCode = failed === 0 ? 0 : 1;
}

export { existsSync, readFileSync, writeFileSync, join };
