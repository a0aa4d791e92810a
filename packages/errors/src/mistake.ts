import type { Problem } from './refusal';

/** What Joi says of one mistake in a value: where it stands, and in which words. */
interface Mistake {
  message: string;
  path: readonly (string | number)[];
  type: string;
  context?: Readonly<Record<string, unknown>> | undefined;
}

/** A mistake as a problem of a refusal. One of the whole value is named by the first member that it lacks, if any. */
export function problemOf(mistake: Mistake, word: 'field' | 'key' = 'field'): Problem {
  const { path, type, context } = mistake;
  const missing = (context?.missing as string[] | undefined)?.[0];
  const field = path.length > 0 ? path.join('.') : missing;
  const message = type === 'object.unknown' ? `${field} is not a known ${word}` : inDots(mistake);
  return field === undefined || field === '' ? { message } : { message, field };
}

/** Joi writes `effects[0].amount`, where the contract and the field beside the message say `effects.0.amount`. */
function inDots({ message, context = {} }: Mistake): string {
  const labels = Object.entries(context)
    .flatMap(([name, said]) => (/labels?$/i.test(name) ? [said].flat() : []))
    .filter((label) => typeof label === 'string')
    .sort((one, other) => other.length - one.length);
  return labels.reduce(
    (text, label) => text.replaceAll(label, label.replaceAll(/\[(\d+)\]/g, '.$1')),
    message,
  );
}
