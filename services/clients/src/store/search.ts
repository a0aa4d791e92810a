import { foldText, literalPattern } from '@laurel/mongo';

const GRAM = 3;
/** More than these narrow a search no further, and each is a look into the index. */
const GRAMS_PER_SEARCH_MAX = 6;

interface Searchable {
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
}

export interface SearchFields {
  /** What a search compares, folded, one text per line. */
  search_text: string;
  /** Every three neighbouring characters of it: what the index holds. */
  search_tokens: string[];
}

/** The fields under which a client is found. */
export function searchFields({ first_name, last_name, email, phone }: Searchable): SearchFields {
  const name = [first_name, last_name].filter((part) => part !== null).join(' ');
  const lines = [name, email ?? '', phone ?? ''].map(foldText).filter((line) => line !== '');
  return { search_text: lines.join('\n'), search_tokens: [...new Set(lines.flatMap(gramsOf))] };
}

/**
 * A filter for clients that contain `text` literally. From three characters on the index of
 * three-letter pieces picks the candidates; the pattern then decides.
 */
export function searchFilter(text: string): Record<string, unknown> {
  const folded = foldText(text);
  const pattern = { search_text: { $regex: literalPattern(folded) } };
  const grams = [...new Set(gramsOf(folded))];
  return grams.length === 0 ? pattern : { search_tokens: { $all: spread(grams) }, ...pattern };
}

function gramsOf(line: string): string[] {
  const grams: string[] = [];
  for (let at = 0; at + GRAM <= line.length; at += 1) grams.push(line.slice(at, at + GRAM));
  return grams;
}

/** Some grams from all over the text: neighbours say nearly the same. */
function spread(grams: string[]): string[] {
  const step = Math.ceil(grams.length / GRAMS_PER_SEARCH_MAX);
  return grams.filter((_, position) => position % step === 0);
}
