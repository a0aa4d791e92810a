import { Joi } from '@laurel/config';
import { CLIENT_COLUMNS, customFieldOf } from '@laurel/contract';
import { FORBIDDEN_KEYS, type Json, type JsonObject, memberOf } from '@laurel/errors';
import type { clients } from '@laurel/rpc';
import { complaintAboutBaseUrl, joinUrl, missingAccess } from '../base-url';
import type { Account, Customer, Provider } from '../provider';

/** Columns of a client that can be sent; the receiver knows the workspace. */
const COLUMNS = CLIENT_COLUMNS.filter((column) => column !== 'workspace_id' && column !== 'id');
const NAME_LENGTH_MAX = 100;
/** As long as the names of custom fields may be, which a workspace need not define. */
const FIELD_NAME_MAX = 255;
const FIELDS_MAX = 100;

const FIELD = new RegExp(
  `^(id|${COLUMNS.join('|')}|custom_fields\\.(?!(${FORBIDDEN_KEYS.join('|')})$).{1,${FIELD_NAME_MAX}})$`,
  's',
);

const fieldMapping = Joi.object()
  .pattern(
    FIELD,
    Joi.string()
      .min(1)
      .max(NAME_LENGTH_MAX)
      .invalid(...FORBIDDEN_KEYS),
  )
  .max(FIELDS_MAX);

const clientUrl = ({ config }: Account, clientId: string): string =>
  joinUrl(config.base_url as string, `clients/${clientId}`);

const told = ({ client }: Customer, config: JsonObject): JsonObject =>
  mapFields(client, config.field_mapping as Record<string, string> | undefined);

/** Tells a CRM of every change of a client (see README.md). */
export const crmSync: Provider = {
  slug: 'crm_sync',
  configSchema: Joi.object({ base_url: Joi.string(), field_mapping: fieldMapping }),
  checkConfig: complaintAboutBaseUrl,
  secretKeys: ['api_key'],
  secretsSent: ['api_key'],
  outbound: {
    missing: missingAccess,
    needsExternalId: false,
    tellsTier: () => false,
    describe: told,
    upsertCustomer: (rest, account, customer) =>
      rest({
        method: 'PUT',
        url: clientUrl(account, customer.client.id),
        apiKey: account.secrets.api_key,
        body: told(customer, account.config),
      }),
    deleteCustomer: async (rest, account, { clientId }) => {
      const url = clientUrl(account, clientId);
      const answer = await rest({ method: 'DELETE', url, apiKey: account.secrets.api_key });
      return answer.status === 404 ? { ...answer, error: null } : answer;
    },
  },
  async test(rest, { config, secrets }) {
    const url = config.base_url as string;
    const { status, error } = await rest({ method: 'GET', url, apiKey: secrets.api_key });
    return error === null ? { ok: true, status } : { ok: false, status, error };
  },
};

/** The client under the CRM's names; under our own where no mapping is set. */
export function mapFields(
  client: clients.Client,
  mapping: Record<string, string> = Object.fromEntries(
    ['id', ...COLUMNS].map((name) => [name, name]),
  ),
): JsonObject {
  const columns = client as unknown as JsonObject;
  const custom = (client.custom_fields ?? {}) as JsonObject;
  const sent = (name: string): Json => {
    const field = customFieldOf(name);
    const among = field === null ? columns : custom;
    return memberOf(among, field ?? name) ?? null;
  };
  return Object.fromEntries(Object.entries(mapping).map(([name, theirs]) => [theirs, sent(name)]));
}
