import { escapeHtml, namesPlace } from '@laurel/mail';
import sanitizeHtml from 'sanitize-html';
import type { PassUrls } from '../../domain/pass/links';
import { fillPlaceholders, type PassFacts } from '../../domain/pass/placeholders';

const LAYOUT = ['img', 'h1', 'h2', 'center', 'style', 'title', 'head', 'body', 'html', 'font'];

/** What mail programs draw and what cannot act: no scripts, frames, forms or handlers. */
const RULES: sanitizeHtml.IOptions = {
  allowedTags: [...sanitizeHtml.defaults.allowedTags, ...LAYOUT].filter((tag) => tag !== 'style'),
  allowedAttributes: {
    '*': ['style', 'class', 'align', 'valign', 'width', 'height', 'bgcolor', 'dir', 'lang'],
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    table: ['border', 'cellpadding', 'cellspacing', 'role'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
    font: ['color', 'face', 'size'],
  },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https', 'http'] },
  allowProtocolRelative: false,
};

/** A style that draws what lies elsewhere: anything with a function but colours and sums, or written around that. */
const LOADS = /\\|(?<!\b(?:rgba?|hsla?|calc))\(/i;
/** What follows the root of an address that is written out, and begins no other. */
const PATH = /^(?:[\w\-./?=%#]|&amp;)*$/;

/**
 * A mail of the workspace's own making, safe to send: filled, then cleared of whatever could act or lead elsewhere.
 * Placeholders are those of templates and the four links of the pass, `{{apple_pass_url}}` ...; a mail that has none of
 * the links gets them at its end, because they are what it is for.
 *
 * Links and pictures are those of the platform's own pages; of others the words stay. Anybody may open a workspace, make
 * a client of any address and mail it in the platform's name: what a workspace says of an address, or of itself as its
 * brand, makes no link of its own trustworthy. A client's proof is no way around, since it outlives a change of their address.
 */
export function htmlMail(
  template: string,
  { facts, urls, publicUrl }: { facts: PassFacts; urls: PassUrls; publicUrl: string },
): string {
  const filled = fillPlaceholders(
    template,
    { ...facts, passFields: { ...facts.passFields, ...urls } },
    escapeHtml,
  );
  // Twice: only then does a text come whole, its entities resolved, to who looks for addresses in it.
  const safe = sanitizeHtml(sanitizeHtml(filled, RULES), rulesOfLinks(publicUrl));
  if (Object.values(urls).some((url) => safe.includes(url))) return safe;
  const { apple_pass_url: apple, google_pass_url: google } = urls;
  return `${safe}<p><a href="${apple}">Apple Wallet</a> · <a href="${google}">Google Wallet</a></p>`;
}

/** @param publicUrl whose pages, and none else, links and pictures may be */
function rulesOfLinks(publicUrl: string): sanitizeHtml.IOptions {
  const root = `${new URL(publicUrl).href.replace(/\/+$/, '')}/`;
  const ownAddress = (address = '') => {
    const href = URL.canParse(address) ? new URL(address).href : '';
    return href.startsWith(root) ? href : null;
  };
  const isOwnWord = (word: string) => word.startsWith(root) && PATH.test(word.slice(root.length));
  return {
    ...RULES,
    transformTags: {
      '*': (tagName, { href, style, ...attribs }) => {
        const own = ownAddress(href);
        return {
          tagName,
          attribs: {
            ...attribs,
            ...(own === null ? {} : { href: own }),
            ...(style !== undefined && !LOADS.test(style) ? { style } : {}),
          },
        };
      },
    },
    exclusiveFilter: ({ tag, attribs: { src } }) => tag === 'img' && ownAddress(src) === null,
    textFilter: (text) =>
      text.replace(/\S+/g, (word) => (namesPlace(word) && !isOwnWord(word) ? '…' : word)),
  };
}
