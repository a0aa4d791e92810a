// The frame around the content of a page.

/** @param {string} text */
const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * @typedef {{ style: string, script: string, index: string, icon: string }} Assets addresses of the files beside the pages
 * @typedef {import('./markdown.mjs').Heading} Heading
 * @typedef {{ name: string, title: string, summary: string, html: string, headings: Heading[] }} Content
 */

/** @param {import('./site.mjs').Section[]} sections @param {string} current */
function navigation(sections, current) {
  const links = sections.map(({ title, pages }) => {
    const listed = pages.filter(({ isInner }) => !isInner);
    const items = listed.map(({ name, title: shown }) => {
      const mark = name === current ? ' aria-current="page"' : '';
      return `<li><a href="/docs/${name}"${mark}>${escaped(shown)}</a></li>`;
    });
    return `<h2>${title}</h2><ul>${items.join('')}</ul>`;
  });
  return `<nav id="pages" class="pages" aria-label="All pages">${links.join('')}</nav>`;
}

/** What a long guide begins with; the pages of the reference list their operations themselves. @param {Content} content */
function contents({ name, headings }) {
  const parts = headings.filter(({ level }) => level === 2);
  if (name === 'index' || /^(api|client)\//.test(name) || parts.length < 3 || parts.length > 30)
    return '';
  const items = parts.map(
    ({ text, anchor }) => `<li><a href="#${anchor}">${escaped(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><ul>${items.join('')}</ul></nav>`;
}

/** @param {Content} content @param {import('./site.mjs').Section[]} sections @param {Assets} assets */
export function renderPage(content, sections, assets) {
  const { name, title, summary, html } = content;
  // Below the sentence that says what the page is about.
  const end = html.indexOf('</p>') + '</p>'.length;
  const body = `${html.slice(0, end)}${contents(content)}${html.slice(end)}`;
  const mark = name.startsWith('api/') ? ' data-operations' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name === 'index' ? 'Laurel' : `${escaped(title)} · Laurel`}</title>
<meta name="description" content="${escaped(summary)}">
<link rel="icon" href="${assets.icon}">
<link rel="alternate" type="text/markdown" href="/docs/${name}.md">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<a class="home" href="/docs">Laurel</a>
<search class="search" data-index="${assets.index}">
<label class="visually-hidden" for="wanted">Search the documentation</label>
<input id="wanted" type="search" placeholder="Search" autocomplete="off" spellcheck="false">
<div class="found" hidden><p class="visually-hidden" role="status"></p><ul></ul></div>
</search>
<a class="to-pages" href="#pages">All pages</a>
</header>
<div class="columns">
<main id="content" tabindex="-1"${mark}>
${body}
<p class="hint"><a href="/docs/${name}.md">This page as Markdown</a></p>
</main>
${navigation(sections, name)}
</div>
</body>
</html>
`;
}
