// The command line as one file that needs nothing beside it: `npx` has it at once.
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));
const file = path.join(folder, 'dist/laurel.cjs');
/** Libraries that stand in the one file: their licences ask to stand there, too, and their sources bear no such comment. */
const WITHIN = ['commander', 'yaml'];
const licences = WITHIN.map((name) => {
  const text = readFileSync(path.join(folder, 'node_modules', name, 'LICENSE'), 'utf8');
  return `/*!\n${name}\n\n${text.trim()}\n*/`;
});
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
  footer: { js: licences.join('\n') },
  logLevel: 'error',
});
chmodSync(file, 0o755);
