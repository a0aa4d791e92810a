import parse from 'joi-to-json';
import type { EventDefinition } from '../catalogue';

export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  [keyword: string]: unknown;
}

/** The data of an event as JSON Schema, open to members that later versions add. */
export function dataSchema({ schema }: EventDefinition): JsonSchema {
  return open(parse(schema, 'json') as JsonSchema);
}

/** Consumers must accept what they do not know, so the published schema may not forbid it. */
function open(value: unknown): JsonSchema {
  return walk(value) as JsonSchema;
}

function walk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(walk);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key]) => key !== 'additionalProperties' && key !== '$schema',
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, walk(inner)]));
}
