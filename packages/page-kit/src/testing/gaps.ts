import type { Plural, Words } from '../language';

const formsOf = (sentence: string | Plural): string[] =>
  typeof sentence === 'string' ? [sentence] : Object.values(sentence);
const gapsIn = (form: string): string =>
  [...form.matchAll(/\{\w+\}/g)]
    .map(([gap]) => gap)
    .sort()
    .join();

/** Sentences that are missing, or of which a form does not leave the gaps that the English one leaves. */
export const wrongGaps = (words: Words, english: Words): string[] =>
  Object.entries(english).flatMap(([key, sentence]) => {
    const wanted = gapsIn(formsOf(sentence)[0]!);
    const own = words[key];
    const isRight = own !== undefined && formsOf(own).every((form) => gapsIn(form) === wanted);
    return isRight ? [] : [key];
  });
