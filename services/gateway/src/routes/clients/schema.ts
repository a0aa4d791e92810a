import {
  CLIENT_EXPANSIONS,
  CLIENT_STATUSES,
  type ClientExpansion,
  PERIODS,
} from '@laurel/contract';
import {
  dateOrTimestamp,
  day,
  email,
  Joi,
  jsonObject,
  nullable,
  oneLine,
  page,
  queryBoolean,
  queryList,
  text,
  timestamp,
  toDate,
  uuid,
} from '../../schema/types';

const status = Joi.string().valid(...CLIENT_STATUSES);

export interface ClientBody {
  first_name?: string | null;
  last_name?: string | null;
  email?: string | null;
  phone?: string | null;
  birth_date?: string | null;
  status?: string;
  marketing_consent?: boolean;
  marketing_consent_text?: string | null;
  custom_fields?: { [name: string]: never };
  source?: string | null;
  loyalty_program_enabled?: boolean;
}

const writable = {
  first_name: nullable(oneLine(255)),
  last_name: nullable(oneLine(255)),
  email: nullable(email()),
  phone: nullable(text(50)),
  birth_date: nullable(day()),
  status,
  marketing_consent: Joi.boolean(),
  marketing_consent_text: nullable(text(2_000)),
  custom_fields: jsonObject(),
  source: nullable(text(50)),
  loyalty_program_enabled: Joi.boolean(),
};

export const createClient = Joi.object<ClientBody>(writable);
export const updateClient = Joi.object<ClientBody>(writable);

export const client = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  first_name: nullable(Joi.string()).required(),
  last_name: nullable(Joi.string()).required(),
  email: nullable(Joi.string()).required(),
  phone: nullable(Joi.string()).required(),
  birth_date: nullable(day()).required(),
  status: status.required(),
  marketing_consent: Joi.boolean().required(),
  marketing_consent_at: nullable(timestamp()).required(),
  marketing_consent_source: nullable(Joi.string()).required(),
  marketing_consent_text: nullable(Joi.string()).required(),
  custom_fields: Joi.object().unknown(true).required(),
  source: nullable(Joi.string()).required(),
  loyalty_program_enabled: Joi.boolean().required(),
  registration_date: timestamp().required(),
  date_created: timestamp().required(),
}).meta({ name: 'Client' });
export const clients = Joi.array().items(client);

export interface FilterQuery {
  search?: string;
  status?: string;
  source?: string;
  email?: string;
  from_date?: string;
  to_date?: string;
  segment_id?: string;
  tier_id?: string[];
  has_pass?: boolean;
  /** cf_<field name>: any of the values. */
  [customField: `cf_${string}`]: string[];
}

/** The filters that lists and exports share; all of them compose. */
const filters = {
  search: text(255),
  status,
  source: text(50),
  email: text(255),
  from_date: dateOrTimestamp(),
  to_date: toDate(),
  segment_id: uuid().description('Who is in it now.'),
  tier_id: queryList(uuid().allow('untiered')).description('Any of them, or untiered.'),
  has_pass: queryBoolean(),
};
/** What a query may hold besides: cf_<field name> with a value, or several of which one is enough. */
export const filtered = <Query extends FilterQuery>(members: Joi.PartialSchemaMap) =>
  Joi.object<Query>({ ...filters, ...members }).pattern(/^cf_.+$/, queryList(text(300)));

export const listClients = filtered<
  FilterQuery & {
    limit: number;
    offset?: number;
    cursor?: string;
    sort?: string;
    expand?: ClientExpansion[];
  }
>({
  ...page({ limitMax: 1_000, limitDefault: 50, cursor: true }),
  sort: text(50, 1),
  expand: queryList(Joi.string().valid(...CLIENT_EXPANSIONS)).description(
    'wallets: the balances of each; tier: the tier of each; last_event: what each did last.',
  ),
});

/** A member of `expand` that could not be had is null, and `meta.missing` names it. */
export const clientRows = Joi.array().items(
  client
    .keys({
      wallets: nullable(
        Joi.array().items({
          wallet_type_id: uuid().required(),
          wallet_type_code: Joi.string().required(),
          active_balance: Joi.number().required(),
          pending_balance: Joi.number().required(),
        }),
      ).description('With expand=wallets: of each active wallet type, the default one first.'),
      tier: nullable(
        Joi.object({
          id: uuid().required(),
          name: Joi.string().required(),
          color: nullable(Joi.string()).required(),
        }),
      ).description('With expand=tier.'),
      last_event: nullable(
        Joi.object({
          event_category: Joi.string().required(),
          event_type: Joi.string().required(),
          event_timestamp: timestamp().required(),
        }),
      ).description('With expand=last_event: of the categories transaction, engagement, custom.'),
    })
    .meta({ name: 'ClientRow' }),
);

export const searchClients = Joi.object<{ q: string; limit: number }>({
  q: text(255, 1).required(),
  limit: Joi.number().integer().min(1).max(1_000).default(10),
});

export const mergeClients = Joi.object<{ source_client_id: string; target_client_id: string }>({
  source_client_id: uuid().required(),
  target_client_id: uuid()
    .required()
    .invalid(Joi.ref('source_client_id'))
    .messages({ 'any.invalid': 'a client cannot be merged into itself' }),
});

export const countSignups = Joi.object<{
  from_date?: string;
  to_date?: string;
  group_by_time: string;
}>({
  from_date: dateOrTimestamp(),
  to_date: toDate(),
  group_by_time: Joi.string()
    .valid(...PERIODS)
    .default('week'),
});

export const signupBuckets = Joi.object({
  buckets: Joi.array()
    .items({ date: day().required(), count: Joi.number().integer().required() })
    .required(),
  total: Joi.number().integer().required(),
  latest_bucket_count: Joi.number().integer().required(),
  growth_wow_pct: nullable(Joi.number()).required(),
});

export const provider = text(100, 1);
export const putIdentity = Joi.object<{ external_id: string }>({
  external_id: text(255, 1).required(),
});
export const identity = Joi.object({
  provider: Joi.string().required(),
  external_id: Joi.string().required(),
  date_created: timestamp().required(),
}).meta({ name: 'ExternalIdentity' });
export const identities = Joi.array().items(identity);
