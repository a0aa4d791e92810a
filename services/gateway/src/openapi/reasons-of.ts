import reasons from './reasons.json';

/**
 * status -> reasons, by operation. `npm run docs` makes the file, which follows the code from route to catalogue; the
 * end-to-end tests fail on a reason that an operation answers with and that is not in it.
 */
export const REASONS_OF = new Map(
  Object.entries<Record<string, string[]>>(reasons).map(([operation, statuses]) => [
    operation,
    new Map(Object.entries(statuses).map(([status, own]) => [Number(status), own])),
  ]),
);

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
