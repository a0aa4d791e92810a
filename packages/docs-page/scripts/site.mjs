// Which pages there are, in the order in which somebody new reads them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { clientPages } from './client.mjs';
import { commandsPage } from './commands.mjs';
import { eventsPage } from './events.mjs';
import { createReference } from './reference.mjs';

/** The guides, by their files in docs/guides. */
const GUIDES = [
  ['Begin', ['start', 'words', 'programme']],
  [
    'Build',
    ['till', 'rules', 'forms', 'cards', 'webhooks', 'errors-and-limits', 'import', 'files', 'shop'],
  ],
  ['Run', ['production', 'accountants', 'privacy']],
];

/**
 * @typedef {{ name: string, title: string, source: string, isInner?: boolean }} Page `name` is its address below the place of
 *   the site; an inner one is found from another page, and neither in the list of all pages nor by the search
 * @typedef {{ title: string, pages: Page[] }} Section
 */

/** @param {string} root top folder of the repository @returns {{ index: Page, sections: Section[] }} */
export function readSite(root) {
  const docs = path.join(root, 'docs');
  const read = (/** @type {string} */ file) => readFileSync(path.join(docs, file), 'utf8');
  const document = JSON.parse(read('openapi.json'));
  const guide = (/** @type {string} */ name) => {
    const source = read(`guides/${name}.md`);
    return { name, title: /^# (.+)$/m.exec(source)?.[1] ?? name, source };
  };
  const generated = (/** @type {string} */ name, /** @type {string} */ file) => {
    const source = read(file);
    return { name, title: /^# (.+)$/m.exec(source)?.[1] ?? name, source };
  };
  const reference = createReference(document);
  const sections = GUIDES.map(([title, names]) => ({
    title: String(title),
    pages: [names].flat().map((name) => guide(String(name))),
  }));
  refuseForgotten(path.join(docs, 'guides'), sections);
  return {
    index: guide('index'),
    sections: [
      ...sections,
      {
        title: 'Look up',
        pages: [
          eventsPage(document),
          generated('errors', 'errors.md'),
          generated('settings', 'config.md'),
          commandsPage(path.join(root, 'packages/cli/dist/laurel.cjs')),
          ...clientPages(document, path.join(root, 'packages/client/dist'), reference.addressOf),
        ],
      },
      { title: 'API', pages: reference.pages },
    ],
  };
}

/** A guide that stands in no section would be on no page. @param {string} folder @param {Section[]} sections */
function refuseForgotten(folder, sections) {
  const known = new Set([
    'index',
    ...sections.flatMap(({ pages }) => pages.map(({ name }) => name)),
  ]);
  const forgotten = readdirSync(folder).filter((file) => !known.has(path.basename(file, '.md')));
  if (forgotten.length > 0) throw new Error(`docs/guides: in no section: ${forgotten.join(', ')}`);
}
