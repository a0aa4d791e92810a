import type { Json, JsonObject } from '@laurel/errors';
import { joinUrl } from '../base-url';
import type { Account, Customer, Outbound } from '../provider';
import { type PosConfig, posConfig } from './config';

const CUSTOMER_BYTES_MAX = 64 * 1024;

const customersUrl = ({ config }: Account): string =>
  joinUrl(posConfig(config).base_url!, 'customers');
const customerUrl = (account: Account, externalId: string): string =>
  `${customersUrl(account)}/${encodeURIComponent(externalId)}`;

/** Keeps the till's customers as the loyalty programme knows them (README.md). */
export const upsertCustomer: Outbound['upsertCustomer'] = async (rest, account, customer) => {
  const { externalId, client } = customer;
  const apiKey = account.secrets.api_key;
  const config = posConfig(account.config);
  if (externalId !== null) {
    const body = describe(customer, config);
    return rest({ method: 'PUT', url: customerUrl(account, externalId), apiKey, body });
  }
  const location = config.default_location_id;
  const answer = await rest({
    method: 'POST',
    url: customersUrl(account),
    apiKey,
    // The till makes one customer per reference, however often it is asked.
    headers: { 'idempotency-key': client.id },
    body: {
      ...describe(customer, config),
      ...(location === undefined ? {} : { location_id: location }),
    },
    jsonBytesMax: CUSTOMER_BYTES_MAX,
  });
  if (answer.error !== null) return answer;
  const given = idIn(answer.json);
  return given === null
    ? { ...answer, error: 'the answer holds no id of the new customer' }
    : { ...answer, externalId: given };
};

export const deleteCustomer: Outbound['deleteCustomer'] = async (rest, account, { externalId }) => {
  if (externalId === null) return NOTHING_TO_DO;
  const url = customerUrl(account, externalId);
  const answer = await rest({ method: 'DELETE', url, apiKey: account.secrets.api_key });
  // Gone already is as good as deleted.
  return answer.status === 404 || answer.status === 410 ? { ...answer, error: null } : answer;
};

const NOTHING_TO_DO = { status: null, error: null, retryAfterMs: null };

/** A client as the till knows it. */
export function describe(
  { client, tierId }: Customer,
  { tier_mappings: groups }: PosConfig,
): JsonObject {
  return {
    reference: client.id,
    first_name: client.first_name ?? null,
    last_name: client.last_name ?? null,
    email: client.email ?? null,
    phone: client.phone ?? null,
    birth_date: client.birth_date ?? null,
    ...(groups === undefined
      ? {}
      : { group_id: tierId === null ? null : (groups[tierId] ?? null) }),
  };
}

function idIn(answer: Json | undefined): string | null {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return null;
  const inner = answer.data;
  const id =
    answer.id ??
    (typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner.id : null);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}
