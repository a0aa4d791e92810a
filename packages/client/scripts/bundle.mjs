// The client as ES modules, beside what tsc writes: each entry one file, so that bundlers and browsers read one.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));

await build({
  entryPoints: ['index', 'webhooks'].map((name) => path.join(folder, `src/${name}.ts`)),
  outdir: path.join(folder, 'dist'),
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  logLevel: 'error',
});
