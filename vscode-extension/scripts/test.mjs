// Runs the tests that need no editor: bundles src/**/*.test.ts and hands them to Node's own runner.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';

const out = mkdtempSync(join(tmpdir(), 'surefoot-unit-'));
try {
    const entryPoints = readdirSync('src', { recursive: true })
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => join('src', name));
    await esbuild.build({ entryPoints, outdir: out, bundle: true, format: 'cjs', platform: 'node', target: 'node20', external: ['vscode'] });
    const files = readdirSync(out, { recursive: true }).filter((name) => name.endsWith('.js')).map((name) => join(out, name));
    process.exitCode = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status ?? 1;
} finally {
    rmSync(out, { recursive: true, force: true });
}
