import { escapeHtml } from '@laurel/mail';
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

/**
 * A mail of the workspace's own making, safe to send: filled, then cleared of whatever could act. Placeholders are those
 * of templates and the four links of the pass, `{{apple_pass_url}}` ...; a mail that has none of the links gets them at
 * its end, because they are what it is for.
 */
export function htmlMail(
  template: string,
  { facts, urls }: { facts: PassFacts; urls: PassUrls },
): string {
  const filled = fillPlaceholders(
    template,
    { ...facts, passFields: { ...facts.passFields, ...urls } },
    escapeHtml,
  );
  const links = Object.values(urls);
  const hasLink = links.some((url) => filled.includes(url));
  const { apple_pass_url: apple, google_pass_url: google } = urls;
  const ending = `<p><a href="${apple}">Apple Wallet</a> · <a href="${google}">Google Wallet</a></p>`;
  return sanitizeHtml(hasLink ? filled : `${filled}${ending}`, RULES);
}
