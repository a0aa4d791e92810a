import type { ClientStatus } from '@laurel/contract';
import { invalidPayload, type JsonObject } from '@laurel/errors';
import type { clients as api } from '@laurel/rpc';
import type { ClientFields } from '../domain/client';
import { checkTexts } from '../domain/client-texts';

/** The writable fields of a request; those that were not sent stay absent. Refuses texts that cannot be kept. */
export function fieldsOf(request: api.CreateClientRequest | api.UpdateClientRequest): ClientFields {
  const fields: ClientFields = {
    first_name: request.first_name,
    last_name: request.last_name,
    email: request.email,
    phone: request.phone,
    birth_date: request.birth_date,
    status: request.status as ClientStatus | undefined,
    marketing_consent: request.marketing_consent,
    marketing_consent_text: request.marketing_consent_text,
    custom_fields: request.custom_fields as JsonObject | undefined,
    source: request.source,
    loyalty_program_enabled: request.loyalty_program_enabled,
  };
  const given = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as ClientFields;
  const problems = checkTexts(given);
  if (problems.length > 0) throw invalidPayload(problems);
  return given;
}
