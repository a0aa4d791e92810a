// What the build refuses: a link that leads nowhere, a page that is too heavy.
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** What a page, and what each script, may weigh as it is sent to a browser that takes gzip. */
const BYTES_MAX = { '.html': 30 * 1024, '.js': 6 * 1024 };

/** What the gateway serves beside these pages, and guides may name. */
const ELSEWHERE =
  /^\/(docs\/(swagger|llms\.txt)|register|sign-in|console|till\/|openapi\.json|asyncapi\.json)/;

/**
 * @param {{ name: string, headings: import('./markdown.mjs').Heading[], links: string[] }[]} pages
 * @param {string} base
 */
export function refuseBrokenLinks(pages, base) {
  const anchors = new Map(
    pages.map(({ name, headings }) => [name, new Set(headings.map(({ anchor }) => anchor))]),
  );
  const broken = pages.flatMap(({ name, links }) =>
    links
      .filter((link) => !isThere(link, { name, base, anchors }))
      .map((link) => `${name}: ${link}`),
  );
  if (broken.length > 0) throw new Error(`links that lead nowhere:\n${broken.join('\n')}`);
}

/** @param {string} link @param {{ name: string, base: string, anchors: Map<string, Set<string>> }} from */
function isThere(link, { name, base, anchors }) {
  if (/^[a-z]+:/.test(link) || ELSEWHERE.test(link)) return true;
  const [place = '', anchor] = link.split('#');
  const target = place === '' ? name : place.startsWith(base) ? place.slice(base.length) : '';
  const known = anchors.get(target || 'index');
  return Boolean(known) && (anchor === undefined || known?.has(anchor) === true);
}

/** @param {string} folder */
export function refuseHeavy(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const heavy = Object.entries(BYTES_MAX).flatMap(([ending, most]) =>
    names
      .filter((name) => name.endsWith(ending))
      .map((name) => ({ name, size: packedSize(path.join(folder, name)) }))
      .filter(({ size }) => size > most)
      .map(({ name, size }) => `${name} has ${size} bytes gzip, at most ${most} are allowed`),
  );
  if (heavy.length > 0) throw new Error(heavy.join('\n'));
}

/** @param {string} file */
const packedSize = (file) => statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
