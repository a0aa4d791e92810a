import type { Json } from '@laurel/errors';
import type { Rest } from '../../rest';
import { complaintAboutBaseUrl, joinUrl, missingAccess } from '../base-url';
import type { Account, ConnectionReport, Provider } from '../provider';
import { complaintAboutLocations, configSchema, posConfig } from './config';
import { deleteCustomer, describe, upsertCustomer } from './customers';
import { imports } from './imports';
import { isGenuine } from './signature';
import { requireTransaction, toEvent } from './transaction';

/** What else a till tells of a sale, such as that it was voided, is no second sale. */
const SALE_MADE = 'transaction.created';
/** Somebody waits for the answer of a save. */
const ANNOUNCE_MS_MAX = 3_000;
const LOCATIONS_BYTES_MAX = 1024 * 1024;

/** A point-of-sale system: sales come in, customers go out, the past is imported (README.md). */
export const pos: Provider = {
  slug: 'pos',
  configSchema,
  checkConfig: (config, guard) => [
    ...complaintAboutBaseUrl(config, guard),
    ...complaintAboutLocations(config),
  ],
  secretKeys: ['api_key', 'webhook_secret'],
  secretsSent: ['api_key'],
  inbound: {
    missing: () => null,
    waitsFor: () => null,
    isGenuine,
    read({ body }, config) {
      const { type, data } = (body ?? {}) as { type?: Json; data?: Json };
      if (type !== SALE_MADE) return null;
      return toEvent(requireTransaction(data), posConfig(config));
    },
    async announce(rest, { config, secrets }, ingestUrl) {
      const baseUrl = posConfig(config).base_url;
      if (baseUrl === undefined || secrets.api_key === undefined) return null;
      const { error } = await rest({
        method: 'PUT',
        url: joinUrl(baseUrl, 'webhook'),
        apiKey: secrets.api_key,
        body: { url: ingestUrl },
        timeoutMs: ANNOUNCE_MS_MAX,
      });
      return error && `the point of sale could not be told the address of the inbox: ${error}`;
    },
  },
  outbound: {
    missing: missingAccess,
    needsExternalId: true,
    tellsTier: (config) => posConfig(config).tier_mappings !== undefined,
    describe: (customer, config) => describe(customer, posConfig(config)),
    upsertCustomer,
    deleteCustomer,
  },
  imports,
  test,
};

async function test(rest: Rest, { config, secrets }: Account): Promise<ConnectionReport> {
  const url = joinUrl(posConfig(config).base_url!, 'locations');
  const { status, error, json, isTooLarge } = await rest({
    method: 'GET',
    url,
    apiKey: secrets.api_key,
    jsonBytesMax: LOCATIONS_BYTES_MAX,
  });
  if (error !== null) return { ok: false, status, error };
  if (isTooLarge) return { ok: true, status, note: 'the list of locations is larger than 1 MiB' };
  return { ok: true, status, locations: locationsIn(json) };
}

/** A list, or one under `data` or `locations`; what is no location is left out. */
function locationsIn(json: Json | undefined): { id: number; name: string }[] {
  const wrapped = (json ?? {}) as { data?: Json; locations?: Json };
  const list = [json, wrapped.data, wrapped.locations].find((each) => Array.isArray(each));
  return ((list ?? []) as { id?: Json; name?: Json }[]).flatMap((each) => {
    const id = Number(each?.id ?? Number.NaN);
    return Number.isInteger(id) ? [{ id, name: String(each.name ?? id) }] : [];
  });
}
