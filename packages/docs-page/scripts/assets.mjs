// The files beside the pages, under names that change with their content.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * @param {{ own: string, outDir: string, base: string, index: object }} site
 * @returns {Promise<import('./layout.mjs').Assets>}
 */
export async function writeAssets({ own, outDir, base, index }) {
  const folder = path.join(outDir, 'assets');
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    entryPoints: [path.join(own, 'src/main.ts'), path.join(own, 'styles/docs.css')],
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    // What only few readers use comes when they do.
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
    metafile: true,
    absWorkingDir: own,
  });
  const named = (/** @type {string} */ source) => {
    const [file = ''] =
      Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source) ?? [];
    return `${base}assets/${path.basename(file)}`;
  };
  const json = JSON.stringify(index);
  const digest = createHash('sha256').update(json).digest('hex').slice(0, 8);
  writeFileSync(path.join(folder, `search-${digest}.json`), json);
  copyFileSync(path.join(own, 'public/icon.svg'), path.join(outDir, 'icon.svg'));
  return {
    style: named('styles/docs.css'),
    script: named('src/main.ts'),
    index: `${base}assets/search-${digest}.json`,
    icon: `${base}icon.svg`,
  };
}
