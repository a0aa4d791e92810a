// Builds a page to files that the gateway serves: hashed names, and each file packed once, here and not per visitor.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

/** Below this, packing saves nothing that is worth a header. */
const WORTH_PACKING = 600;
const PACKABLE = /\.(js|css|svg|wasm|webmanifest|json)$/;

/**
 * @param {{ root: string, base: string, entries?: Record<string, string> }} page `root` holds index.html; `entries` are
 *   further scripts that keep their names (service workers)
 */
export async function buildPage({ root, base, entries = {} }) {
  const outDir = path.join(root, 'dist');
  await build({
    root,
    base,
    configFile: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // A file is a file: the policy lets no data: script or font in.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { main: path.join(root, 'index.html'), ...entries },
        output: {
          entryFileNames: ({ name }) =>
            name in entries ? `${name}.js` : 'assets/[name]-[hash].js',
        },
      },
    },
  });
  for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' }))
    if (PACKABLE.test(name)) pack(path.join(outDir, name));
}

/** @param {string} file */
function pack(file) {
  const content = readFileSync(file);
  if (content.length < WORTH_PACKING) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}
