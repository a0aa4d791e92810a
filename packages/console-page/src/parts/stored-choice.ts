import type { Say } from '../language';

interface Choice {
  value: string;
  label: string;
}

/** Things of the workspace as a select offers them. */
export const choicesOf = (list: readonly { id: string; name: string }[]): Choice[] =>
  list.map(({ id, name }) => ({ value: id, label: name }));

/** More of an id tells a reader nothing. */
const ID_SHOWN = 8;
const IS_ID = /^[0-9a-f]{8}-/;

/**
 * What a field offers, with what is stored in it: of a value that it does not offer a select shows the first it has, and the next
 * who saves takes that for what it says.
 *
 * @param choices undefined until they are known
 * @param stored what the field holds, one or several; nothing is added for null and ''
 */
export function withStored(
  say: Say,
  choices: readonly Choice[] | undefined,
  stored: string | readonly string[] | null | undefined,
): Choice[] {
  const offered = choices ?? [];
  const others = [stored ?? []]
    .flat()
    .filter((value) => value !== '' && !offered.some((one) => one.value === value));
  const nameOf = (value: string) =>
    choices
      ? say('choice.gone', { name: IS_ID.test(value) ? value.slice(0, ID_SHOWN) : value })
      : '…';
  return [...offered, ...others.map((value) => ({ value, label: nameOf(value) }))];
}
