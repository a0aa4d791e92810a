/** Statuses of a client (part 2, Client). */
export const CLIENT_STATUSES = ['active', 'inactive', 'anonymized'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

const SWITCHES: readonly string[] = ['marketing_consent', 'loyalty_program_enabled'];
const SWITCH_POSITIONS: readonly string[] = ['true', 'false'];

/**
 * Whether a change of a field, its values as text, tells nothing of who the client is: it stays when the client is erased.
 * A custom field may be called like a column and hold anything, so the values must be those of the column, too.
 */
export function isImpersonalChange(
  field: string | null,
  values: readonly (string | null)[],
): boolean {
  const known: readonly string[] | false =
    field === 'status' ? CLIENT_STATUSES : SWITCHES.includes(field ?? '') && SWITCH_POSITIONS;
  return known && values.every((value) => value === null || known.includes(value));
}

/** The columns of a client, by each of which lists sort and segments filter. */
export const CLIENT_COLUMNS = [
  'id',
  'workspace_id',
  'first_name',
  'last_name',
  'email',
  'phone',
  'birth_date',
  'status',
  'marketing_consent',
  'marketing_consent_at',
  'marketing_consent_source',
  'marketing_consent_text',
  'custom_fields',
  'source',
  'loyalty_program_enabled',
  'registration_date',
  'date_created',
] as const;
export type ClientColumn = (typeof CLIENT_COLUMNS)[number];

/** What a custom field may hold (part 1, Data model). */
export const FIELD_TYPES = [
  'text',
  'number',
  'boolean',
  'date',
  'select',
  'email',
  'phone',
  'url',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** What an import does with a row. */
export const IMPORT_OUTCOMES = ['create', 'update', 'refuse'] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

/** What a list of clients brings besides. */
export const CLIENT_EXPANSIONS = ['wallets', 'tier', 'last_event'] as const;
export type ClientExpansion = (typeof CLIENT_EXPANSIONS)[number];

/** How a client ended. */
export const CLIENT_ENDINGS = ['anonymized', 'deleted', 'merged'] as const;
export type ClientEnding = (typeof CLIENT_ENDINGS)[number];
