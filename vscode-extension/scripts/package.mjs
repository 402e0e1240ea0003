// Makes the VSIX. With SUREFOOT_SERVER naming a built server it carries that one and is for this platform only;
// without, it is for all platforms and finds a server on the PATH or in the settings.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const PLATFORMS = { linux: 'linux', darwin: 'darwin', win32: 'win32' };
const ARCHITECTURES = { x64: 'x64', arm64: 'arm64' };

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const server = process.env.SUREFOOT_SERVER;
const run = (script, ...args) => execFileSync(process.execPath, [script, ...args], { stdio: 'inherit' });

run('scripts/build.mjs', '--production');
rmSync('server', { recursive: true, force: true });
const args = ['package', '--no-dependencies', '--allow-missing-repository', '--no-update-package-json'];
let name = `surefoot-${version}.vsix`;
if (server) {
    const target = `${PLATFORMS[process.platform]}-${ARCHITECTURES[process.arch]}`;
    const binary = join('server', process.platform === 'win32' ? 'surefoot.exe' : 'surefoot');
    mkdirSync('server');
    copyFileSync(server, binary);
    chmodSync(binary, 0o755);
    args.push('--target', target);
    name = `surefoot-${target}-${version}.vsix`;
}
for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE']) {
    copyFileSync(join('..', licence), licence);
}
try {
    run(join('node_modules', '@vscode', 'vsce', 'vsce'), ...args, '--out', name);
} finally {
    for (const made of ['server', 'LICENSE-MIT', 'LICENSE-APACHE']) {
        rmSync(made, { recursive: true, force: true });
    }
}
console.log(join(process.cwd(), name));
