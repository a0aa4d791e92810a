import { type JsonSchema, toJsonSchema } from '@laurel/json-schema';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import type { EventDefinition } from './define';

/** As the platform itself writes them, and nothing else: what is written in another way is for joi to decide. */
const OWN_TIMESTAMP =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}\.\d{3}Z$/;
const OWN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NOTHING = /^(?!)/;

const ajv = new Ajv({
  strictTypes: false,
  formats: { 'date-time': OWN_TIMESTAMP, uuid: OWN_ID, email: NOTHING, uri: NOTHING },
});
const compiled = new Map<EventDefinition, ValidateFunction>();

/**
 * Whether data is certain to be what the catalogue says, and nothing more. It says yes to nothing that the
 * definition's joi schema refuses, at a small part of the cost; a no means only that joi has to be asked, which also
 * takes what later versions may add, and whose words tell what is wrong.
 */
export function isSurelyValid(definition: EventDefinition, data: unknown): boolean {
  let validate = compiled.get(definition);
  if (!validate) {
    validate = ajv.compile(withSafeNumbers(toJsonSchema(definition.schema, 'request')));
    compiled.set(definition, validate);
  }
  return validate(data);
}

/** Joi refuses numbers that lose digits unless an option says otherwise, which JSON Schema has no word for. */
function withSafeNumbers(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, part) => {
    const types: unknown[] = [part?.type].flat();
    if (!types.includes('number') && !types.includes('integer')) return part;
    return { maximum: Number.MAX_SAFE_INTEGER, minimum: Number.MIN_SAFE_INTEGER, ...part };
  });
}
