import { type JsonSchema, toJsonSchema } from '@laurel/json-schema';
import type { EventDefinition } from '../catalogue';

export type { JsonSchema };

/** The data of an event as JSON Schema, open to members that later versions add. */
export function dataSchema({ schema }: EventDefinition): JsonSchema {
  return toJsonSchema(schema, 'answer');
}
