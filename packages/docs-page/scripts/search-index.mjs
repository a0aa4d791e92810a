// What the search looks through: each part of a page under its heading, with the words that stand in it.

/** Words this short or this common find nothing. */
const WORD = /[a-z0-9][a-z0-9_.-]{2,}/g;
const COMMON = new Set(
  (
    'the and that for are with not this from its which has have when who what how all any can one may does ' +
    'was were been being them they their there then than these those where while would will without within into only ' +
    'also again already after before each other another both more most such same his her him himself itself out over ' +
    'under until since because but yet nor too very once'
  ).split(' '),
);

/** @param {string} text */
function wordsOf(text) {
  const words = text.toLowerCase().match(WORD) ?? [];
  return [...new Set(words.map((word) => word.replace(/[.-]+$/, '')))]
    .filter((word) => !COMMON.has(word) && word.length < 40 && !/^[0-9a-f-]{20,}$/.test(word))
    .join(' ');
}

/**
 * @param {{ name: string, title: string, source: string, headings: import('./markdown.mjs').Heading[] }[]} pages
 * @returns {{ pages: [name: string, title: string][], parts: [page: number, anchor: string, heading: string, words: string][] }}
 */
export function searchIndexOf(pages) {
  const parts = pages.flatMap(({ source, headings }, page) => {
    const texts = withoutCode(source)
      .split(/^#{1,3} .*$/m)
      .slice(1);
    const shown = headings.filter(({ level }) => level <= 3);
    return shown.map(({ text, anchor, level }, index) => {
      const place = level === 1 ? '' : anchor;
      const words = wordsOf(`${place} ${texts[index] ?? ''}`);
      return /** @type {[number, string, string, string]} */ ([page, place, text, words]);
    });
  });
  return {
    pages: pages.map(({ name, title }) => [
      name,
      name.startsWith('api/') ? `${title} (API)` : title,
    ]),
    parts,
  };
}

/** A line of code that begins with `#` is no heading. @param {string} source */
const withoutCode = (source) => source.replace(/^```[\s\S]*?^```$/gm, '');
