import { Joi } from '@laurel/config';
import type { JsonObject } from '@laurel/errors';
import type { Provider } from '../provider';
import {
  applyMapping,
  complaintsAboutMapping,
  MAPPED_FINDERS,
  MAPPING_KEYS,
  type Mapping,
} from './mapping';

const mappingSchema = Joi.object(Object.fromEntries(MAPPING_KEYS.map((key) => [key, Joi.string()])))
  .fork(['event_category', 'event_type'], (key) => key.required())
  .or(...MAPPED_FINDERS);

const mappingOf = (config: JsonObject): Mapping | undefined =>
  config.mapping as Mapping | undefined;

const waitsFor = (config: JsonObject): string | null =>
  mappingOf(config) ? null : 'config.mapping is not set';

/** Any system that can post JSON: expressions make events of what it sends (see README.md). */
export const webhookInbox: Provider = {
  slug: 'webhook_inbox',
  configSchema: Joi.object({ mapping: mappingSchema }),
  checkConfig: (config) =>
    complaintsAboutMapping(mappingOf(config) ?? {}).map(({ field, message }) => ({
      field: `mapping.${field}`,
      message,
    })),
  secretKeys: [],
  secretsSent: [],
  inbound: {
    missing: ({ config }) => waitsFor(config),
    waitsFor,
    isGenuine: () => true,
    read: (arrival, config) => applyMapping(mappingOf(config)!, arrival),
  },
};
