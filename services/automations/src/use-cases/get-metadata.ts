import type { JsonObject } from '@laurel/errors';
import type { automations as api } from '@laurel/rpc';
import {
  CATEGORY_CHOICES,
  EVENT_TYPES,
  functionTerms,
  TRIGGER_CHOICES,
  variableTerms,
} from '../domain/metadata';

/** What rules can be made of (part 1, Automations). */
export function getMetadata(): api.Metadata {
  return {
    trigger_types: [...TRIGGER_CHOICES],
    event_categories: [...CATEGORY_CHOICES],
    event_types_by_category: EVENT_TYPES as unknown as JsonObject,
    expression_variables: variableTerms(),
    expression_functions: functionTerms(),
  };
}
