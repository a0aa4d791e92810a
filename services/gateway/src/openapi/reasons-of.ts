import { REASONS } from './reasons';

/** status -> reasons, by operation. */
export const REASONS_OF = new Map(
  REASONS.trim()
    .split('\n')
    .map((line) => {
      const [operation = '', ...words] = line.split(' ');
      return [operation, reasonsByStatus(words)] as const;
    }),
);

/** Each reason stands behind the last status before it. */
function reasonsByStatus(words: readonly string[]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  let status = 0;
  for (const word of words) {
    if (/^\d+$/.test(word)) status = Number(word);
    else found.set(status, [...(found.get(status) ?? []), word]);
  }
  return found;
}

/** Who may not, whatever the operation: said before it begins, with 403. */
export const BEFORE_EVERY_OPERATION = [
  'not_a_member',
  'origin_not_allowed',
  'scope_missing',
  'not_by_named_token',
  'token_of_another_workspace',
];

/** Why a change is refused that was asked under a condition, whatever it changes: said with 412. */
const UNDER_CONDITION = 'changed_meanwhile';

/** Every reason that there is, in alphabetical order. */
export const ALL_REASONS = [
  ...new Set([
    ...BEFORE_EVERY_OPERATION,
    UNDER_CONDITION,
    ...[...REASONS_OF.values()].flatMap((statuses) => [...statuses.values()].flat()),
  ]),
].sort();
