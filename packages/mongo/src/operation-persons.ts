/** Members of an answer that may say who a client is. */
const TELLING: ReadonlySet<string> = new Set([
  'first_name',
  'last_name',
  'email',
  'phone',
  'birth_date',
  'marketing_consent_text',
  'custom_fields',
  'description',
  'metadata',
  'old_value',
  'new_value',
  'client_name_snapshot',
  'pass_fields',
  'barcode_value',
  'barcode_given',
]);

type Members = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (isPlain(value) && Object.keys(value).length === 0);

/**
 * The clients of whom an answer says more than ids: by `client_id`, or by `id` where it is a client itself. An answer that
 * says nothing of anybody has none.
 */
export const personsIn = (answer: unknown): string[] => [...new Set(personsOf(answer))];

function personsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(personsOf);
  if (!isPlain(value)) return [];
  const tells = Object.entries(value).some(([name, one]) => TELLING.has(name) && !isEmpty(one));
  const id = value.client_id ?? ('first_name' in value ? value.id : undefined);
  const own = tells && typeof id === 'string' ? [id] : [];
  return [...own, ...Object.values(value).flatMap(personsOf)];
}

/** The answer without what may say who its clients are. */
export function withoutPersons(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutPersons);
  if (!isPlain(answer)) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      TELLING.has(name) ? emptyOf(value) : withoutPersons(value),
    ]),
  );
}

/** Of the same type, for the use case that answers a repeat with it. */
const emptyOf = (value: unknown): unknown => (isPlain(value) ? {} : null);
