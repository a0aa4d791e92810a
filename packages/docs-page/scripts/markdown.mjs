// Markdown as a page: anchors at headings, links to where pages stand, tables that may be wider than a phone.
import MarkdownIt from 'markdown-it';

const ANCHOR = /\s*\{#([^}\s]+)\}\s*$/;
const REPOSITORY_FOLDER = /^(\.\.\/)+/;

/**
 * @typedef {{ level: number, text: string, anchor: string }} Heading
 * @typedef {{ html: string, headings: Heading[], links: string[] }} Rendered
 */

/** @param {string} text */
export const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/**
 * The heading without the anchor that it may name, and that anchor or one of its words.
 *
 * @param {string} text
 */
function headingOf(text) {
  const named = ANCHOR.exec(text)?.[1];
  const shown = text.replace(ANCHOR, '');
  return { text: shown.replaceAll('`', ''), shown, anchor: named ?? anchorOf(shown) };
}

/** @param {string} href as it is written in a file of docs/guides @param {string} base */
function placeOf(href, base) {
  if (/^([a-z]+:|#|\/)/.test(href) || REPOSITORY_FOLDER.test(href)) return href;
  return `${base}${href.replace(/\.md(?=#|$)/, '')}`;
}

/** @param {MarkdownIt} markdown */
function addRules(markdown) {
  const { rules } = markdown.renderer;
  rules.table_open = () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>';
  rules.table_close = () => '</table></div>';
  rules.fence = (tokens, index) => {
    const { info, content } = /** @type {import('markdown-it').Token} */ (tokens[index]);
    const [language = ''] = info.trim().split(' ');
    const label = { output: 'Answer', json: 'JSON', yaml: 'YAML' }[language] ?? 'Code';
    const code = markdown.utils.escapeHtml(content);
    return `<pre class="is-${language || 'text'}" tabindex="0" role="group" aria-label="${label}"><code>${code}</code></pre>\n`;
  };
}

/**
 * @param {{ base: string }} site `base` is where its pages stand, e.g. `/docs/`
 * @returns {(source: string) => Rendered}
 */
export function createMarkdown({ base }) {
  // What looks like HTML is shown as it is written: sources are guides and texts of the API, neither of which has any.
  const markdown = new MarkdownIt({ html: false, typographer: false });
  addRules(markdown);
  return (source) => {
    /** @type {Heading[]} */
    const headings = [];
    /** @type {string[]} */
    const links = [];
    const tokens = markdown.parse(source, {});
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'heading_open') {
        const inline = tokens[index + 1];
        const { shown, ...heading } = headingOf(inline.content);
        headings.push({ level: Number(token.tag.slice(1)), ...heading });
        token.attrSet('id', heading.anchor);
        inline.content = shown;
        inline.children = markdown.parseInline(shown, {})[0]?.children ?? [];
      }
      for (const child of token.children ?? []) {
        if (child.type !== 'link_open') continue;
        const href = placeOf(child.attrGet('href') ?? '', base);
        child.attrSet('href', href);
        links.push(href);
      }
    }
    return { html: markdown.renderer.render(tokens, markdown.options, {}), headings, links };
  };
}
