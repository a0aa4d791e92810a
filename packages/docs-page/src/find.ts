/** What the build wrote for the search: the pages, and their parts. */
export interface SearchIndex {
  pages: [name: string, title: string][];
  parts: [page: number, anchor: string, heading: string, words: string][];
}

export interface Found {
  address: string;
  heading: string;
  page: string;
}

const FOUND_MAX = 12;
/**
 * A heading says what a part is about, and so does its anchor, the name of an operation or event; the title of its page nearly
 * so, and a word in it only that it occurs.
 */
const WORTH = { heading: 8, page: 4, words: 1 };

const beginsIn = (text: string, word: string): boolean =>
  ` ${text.toLowerCase()}`.search(new RegExp(`[^a-z0-9]${escaped(word)}`)) >= 0;

const escaped = (word: string): string => word.replace(/[^a-z0-9]/g, '\\$&');

/** The parts in which every word that was typed begins a word, the fittest first. */
export function find({ pages, parts }: SearchIndex, typed: string): Found[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return parts
    .map(([page, anchor, heading, text]) => {
      const [name = '', title = ''] = pages[page] ?? [];
      const worth = words.map(
        (word) =>
          (beginsIn(`${heading} ${anchor}`, word) ? WORTH.heading : 0) +
          (beginsIn(title, word) ? WORTH.page : 0) +
          (beginsIn(text, word) ? WORTH.words : 0),
      );
      const sum = worth.includes(0) ? 0 : worth.reduce((all, one) => all + one, 0);
      const address = `/docs/${name}${anchor ? `#${anchor}` : ''}`;
      return { address, heading, page: title, worth: sum };
    })
    .filter(({ worth }) => worth > 0)
    .sort((one, other) => other.worth - one.worth)
    .slice(0, FOUND_MAX)
    .map(({ address, heading, page }) => ({ address, heading, page }));
}
