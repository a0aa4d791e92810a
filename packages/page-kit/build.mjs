// Builds a page to files that the gateway serves: hashed names, and each file packed once, here and not per visitor.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

/** Below this, packing saves nothing that is worth a header. */
const WORTH_PACKING = 600;
const PACKABLE = /\.(js|css|svg|wasm|webmanifest|json|md|txt|html)$/;
/** The frame is sent with what each answer puts into it. */
const FRAME = 'index.html';
const LICENCES = 'licences.md';
/** The frame is kept under its own address, and licences are read by few. */
const UNKEPT = new Set([FRAME, LICENCES]);

/** @param {string} importSource */
const settings = (importSource) => ({
  configFile: /** @type {const} */ (false),
  logLevel: /** @type {const} */ ('error'),
  oxc: { jsx: { runtime: /** @type {const} */ ('automatic'), importSource } },
});

/** What the head of every page holds, so that its own index.html names only what is its own. @param {string} base */
const sharedHead = (base) => ({
  name: 'shared-head',
  transformIndexHtml: () =>
    [
      { tag: 'meta', attrs: { charset: 'utf-8' } },
      {
        tag: 'meta',
        attrs: {
          name: 'viewport',
          content: 'width=device-width, initial-scale=1, viewport-fit=cover',
        },
      },
      { tag: 'meta', attrs: { name: 'robots', content: 'noindex' } },
      { tag: 'meta', attrs: { name: 'color-scheme', content: 'light dark' } },
      { tag: 'link', attrs: { rel: 'icon', href: `${base}icon.svg` } },
    ].map((tag) => ({ ...tag, injectTo: /** @type {const} */ ('head-prepend') })),
});

/**
 * @param {{ root: string, base: string, serviceWorker?: string, jsx?: string, cspNonce?: string }} page `root` holds
 *   index.html; the service worker is built to `sw.js` and knows every other file; `cspNonce` is what the gateway
 *   replaces in each answer by a nonce
 */
export async function buildPage({ root, base, serviceWorker, jsx = 'preact', cspNonce }) {
  const outDir = path.join(root, 'dist');
  await build({
    ...settings(jsx),
    root,
    base,
    plugins: [sharedHead(base)],
    ...(cspNonce ? { html: { cspNonce } } : {}),
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // A file is a file: the policy lets no data: script or font in.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Those of the libraries in the files ask to go wherever these go.
      license: { fileName: LICENCES },
    },
  });
  if (serviceWorker) await buildServiceWorker({ root, base, outDir, serviceWorker });
  packFolder(outDir, (name) => name !== FRAME);
}

/**
 * Writes beside each file of a folder its packed forms, `.br` and `.gz`.
 *
 * @param {string} folder
 * @param {(name: string) => boolean} [isSentAsItIs]
 */
export function packFolder(folder, isSentAsItIs = () => true) {
  for (const name of filesIn(folder))
    if (PACKABLE.test(name) && isSentAsItIs(name)) pack(path.join(folder, name));
}

/** @param {{ root: string, base: string, outDir: string, serviceWorker: string }} page */
async function buildServiceWorker({ root, base, outDir, serviceWorker }) {
  const names = filesIn(outDir).sort();
  const digest = createHash('sha256');
  for (const name of names) digest.update(name).update(readFileSync(path.join(outDir, name)));
  await build({
    ...settings('preact'),
    root,
    publicDir: false,
    define: {
      VERSION: JSON.stringify(digest.digest('hex').slice(0, 12)),
      FILES: JSON.stringify(
        names.filter((name) => !UNKEPT.has(name)).map((name) => `${base}${name}`),
      ),
    },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: {
        input: path.join(root, serviceWorker),
        output: { entryFileNames: 'sw.js', format: 'iife' },
      },
    },
  });
}

/** @param {string} folder */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));

/** @param {string} file */
function pack(file) {
  const content = readFileSync(file);
  if (content.length < WORTH_PACKING) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}
