// Bundles the extension into dist/main.js.
import * as esbuild from 'esbuild';

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');

const context = await esbuild.context({
    entryPoints: ['src/main.ts'],
    outfile: 'dist/main.js',
    bundle: true,
    external: ['vscode'],
    format: 'cjs',
    platform: 'node',
    // What VS Code 1.91 runs, the oldest this extension is for.
    target: 'node20',
    sourcemap: !production,
    minify: production,
    legalComments: 'none',
});
if (watch) {
    await context.watch();
} else {
    await context.rebuild();
    await context.dispose();
}
