import { InvalidArgumentError } from 'commander';

/** A whole number from 1. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

/** Points: a number, as it is written in JSON. */
export function amount(text: string): number {
  if (!/^[+-]?\d{1,12}(\.\d{1,4})?$/.test(text))
    throw new InvalidArgumentError('It must be a number with at most four decimals.');
  return Number(text);
}

/** Names separated by commas. */
export const names = (text: string): string[] => text.split(',').map((name) => name.trim());

/** `name=value`, any number of them; what reads as JSON is JSON. */
export function pair(text: string, before: Record<string, unknown> = {}): Record<string, unknown> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It must be name=value.');
  return { ...before, [name]: jsonOrText(value!) };
}

function jsonOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // A number that loses digits is an id, and another one without them.
    const isCut = Number.isInteger(value) && !Number.isSafeInteger(value);
    return isCut ? text : value;
  } catch {
    return text;
  }
}
