import { languageOf } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import type { automations as api } from '@laurel/rpc';
import {
  categoryChoices,
  EVENT_TYPES,
  functionTerms,
  triggerChoices,
  variableTerms,
} from '../domain/metadata';

/** What rules can be made of (part 1, Automations), called in a language; what functions do is said in English. */
export function getMetadata({ locale = 'en' }: api.WorkspaceRequest): api.Metadata {
  const language = languageOf(locale);
  return {
    trigger_types: triggerChoices(language),
    event_categories: categoryChoices(language),
    event_types_by_category: EVENT_TYPES as unknown as JsonObject,
    expression_variables: variableTerms(language),
    expression_functions: functionTerms(),
  };
}
