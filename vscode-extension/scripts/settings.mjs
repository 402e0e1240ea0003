// Writes the server's table of settings into package.json, or with --check says whether it stands there already.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

// A built server when one is named, else cargo builds one.
const server = process.env.SUREFOOT_SERVER;
const [program, args] = server ? [server, []] : ['cargo', ['run', '--quiet', '--package', 'surefoot', '--']];
const table = execFileSync(program, [...args, 'dump-settings', '--format', 'vscode'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const written = JSON.stringify(manifest.contributes.configuration);
manifest.contributes.configuration = JSON.parse(table);
if (process.argv.includes('--check')) {
    if (written !== JSON.stringify(manifest.contributes.configuration)) {
        console.error('package.json does not have the settings of the server: run `npm run settings`.');
        process.exitCode = 1;
    }
} else {
    writeFileSync('package.json', JSON.stringify(manifest, null, 2) + '\n');
}
