import type { Plural, Words } from '../language';

const gapsIn = (form: string): string[] => [...form.matchAll(/\{\w+\}/g)].map(([gap]) => gap);
const sorted = (gaps: readonly string[]): string => [...gaps].sort().join();
const withoutCount = (gaps: readonly string[]): string[] => gaps.filter((gap) => gap !== '{count}');

/** Of one thing a sentence may say so in words ("ran once"); all other forms leave every gap. */
const formsOf = (sentence: string | Plural): Plural =>
  typeof sentence === 'string' ? { other: sentence } : sentence;

/** Sentences that are missing, or of which a form does not leave the gaps that the English one leaves. */
export const wrongGaps = (words: Words, english: Words): string[] =>
  Object.entries(english).flatMap(([key, sentence]) => {
    const wanted = gapsIn(formsOf(sentence).other);
    const isRight = ([name, form]: [name: string, form: string]) => {
      const own = sorted(gapsIn(form));
      const mayBeInWords = name === 'one' && own === sorted(withoutCount(wanted));
      return mayBeInWords || own === sorted(wanted);
    };
    const own = words[key];
    return own !== undefined && Object.entries(formsOf(own)).every(isRight) ? [] : [key];
  });
