// The command line as one file that needs nothing beside it: `npx` has it at once.
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));
const file = path.join(folder, 'dist/laurel.cjs');
const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

await build({
  entryPoints: [path.join(folder, 'src/main.ts')],
  outfile: file,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  banner: { js: '#!/usr/bin/env node' },
  define: { LAUREL_VERSION: JSON.stringify(version) },
  legalComments: 'eof',
  logLevel: 'error',
});
chmodSync(file, 0o755);
