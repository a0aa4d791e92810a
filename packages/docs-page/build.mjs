// Builds the documentation to files: docs/guides and the API document become pages, which the gateway serves at /docs.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packFolder } from '@laurel/page-kit/build';
import { writeAssets } from './scripts/assets.mjs';
import { refuseBrokenLinks, refuseHeavy } from './scripts/checks.mjs';
import { renderPage } from './scripts/layout.mjs';
import { createMarkdown } from './scripts/markdown.mjs';
import { searchIndexOf } from './scripts/search-index.mjs';
import { readSite } from './scripts/site.mjs';

const BASE = '/docs/';
const own = fileURLToPath(new URL('.', import.meta.url));
const outDir = path.join(own, 'dist');

const { index, sections } = readSite(path.resolve(own, '../..'));
const render = createMarkdown({ base: BASE });
const pages = [index, ...sections.flatMap((section) => section.pages)].map((page) => ({
  ...page,
  ...render(page.source),
  summary: summaryOf(page.source),
}));
refuseBrokenLinks(pages, BASE);

rmSync(outDir, { recursive: true, force: true });
const assets = await writeAssets({
  own,
  outDir,
  base: BASE,
  index: searchIndexOf(pages.slice(1).filter(({ isInner }) => !isInner)),
});
for (const page of pages) {
  write(`${page.name}.html`, renderPage(page, sections, assets));
  write(`${page.name}.md`, page.source);
}
write('llms.txt', overview());
packFolder(outDir);
refuseHeavy(outDir);

/** @param {string} name @param {string} text */
function write(name, text) {
  const file = path.join(outDir, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The first paragraph, without marks: what llms.txt and search engines say of a page. @param {string} source */
function summaryOf(source) {
  const [title, paragraph = ''] = source.split('\n\n');
  if (/^#/.test(paragraph))
    throw new Error(`${title}: a page begins with a paragraph that says what it is about`);
  return paragraph
    .replaceAll('\n', ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '');
}

/** Every page in a line, for programs that read (llmstxt.org). */
function overview() {
  const summaries = new Map(pages.map(({ name, summary }) => [name, summary]));
  const parts = sections.map(({ title, pages: own }) =>
    [
      `## ${title}`,
      '',
      ...own.map(
        ({ name, title: shown }) => `- [${shown}](${BASE}${name}.md): ${summaries.get(name)}`,
      ),
    ].join('\n'),
  );
  return [`# ${index.title}`, `> ${summaries.get('index')}`, ...parts, ''].join('\n\n');
}
