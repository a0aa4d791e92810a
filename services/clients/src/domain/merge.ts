import { type Json, memberOf } from '@laurel/errors';
import { type Client, type FieldChange, IDENTITY_COLUMNS } from './client';

const BACKFILLED = [...IDENTITY_COLUMNS, 'source'] as const;

/** Forms and other systems send the empty text for what was not filled in. */
const isMissing = (value: string | null): boolean => value === null || value === '';

/**
 * The target after it took over the source: what it lacks is filled in, custom fields are joined with
 * the target winning, and somebody who was a member stays one. Consent moves only as a whole, with
 * its provenance, and only to a target that never stated any.
 */
export function mergeClients(
  target: Client,
  source: Client,
): { client: Client; changes: FieldChange[] } {
  const changes: FieldChange[] = [];
  const merged: Client = { ...target };
  const take = (field: keyof Client, value: Json): void => {
    changes.push({ field, custom: false, before: target[field] as Json, after: value });
    Object.assign(merged, { [field]: value });
  };
  for (const column of BACKFILLED) {
    if (isMissing(target[column]) && !isMissing(source[column])) take(column, source[column]);
  }
  if (source.loyalty_program_enabled && !target.loyalty_program_enabled) {
    take('loyalty_program_enabled', true);
  }
  if (target.marketing_consent_at === null && source.marketing_consent_at !== null) {
    if (source.marketing_consent !== target.marketing_consent) {
      take('marketing_consent', source.marketing_consent);
    }
    merged.marketing_consent_at = source.marketing_consent_at;
    merged.marketing_consent_source = source.marketing_consent_source;
    merged.marketing_consent_text = source.marketing_consent_text;
  }
  for (const [name, value] of Object.entries(source.custom_fields)) {
    if (memberOf(target.custom_fields, name) !== undefined) continue;
    changes.push({ field: name, custom: true, before: null, after: value });
  }
  merged.custom_fields = { ...source.custom_fields, ...target.custom_fields };
  return { client: merged, changes };
}
