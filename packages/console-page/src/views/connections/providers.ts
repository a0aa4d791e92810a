import type { Integration } from '@laurel/client';
import type { Say, WordKey } from '../../language';

/** What the form works on: also a shop system that is not set up yet. */
export type KnownIntegration = Pick<
  Integration,
  | 'provider'
  | 'enabled_inbound'
  | 'enabled_outbound'
  | 'inbox_ingest_url'
  | 'config'
  | 'secrets_meta'
  | 'last_error'
> & { id: string | null };

/** What the form of a provider asks; everything else that it can do is set through the API, and stays as it is there. */
interface ProviderForm {
  does: readonly ('enabled_inbound' | 'enabled_outbound')[];
  config: readonly ConfigField[];
  secrets: readonly ('api_key' | 'webhook_secret')[];
  /** Whether formulas say where things stand in what is sent. */
  isMapped: boolean;
}

interface ConfigField {
  name: 'base_url' | 'location_ids' | 'default_location_id';
  kind: 'text' | 'number' | 'numbers';
}

const BASE_URL: ConfigField = { name: 'base_url', kind: 'text' };

const FORMS: Readonly<Record<string, ProviderForm>> = {
  webhook_inbox: { does: ['enabled_inbound'], config: [], secrets: [], isMapped: true },
  pos: {
    does: ['enabled_inbound', 'enabled_outbound'],
    config: [
      BASE_URL,
      { name: 'location_ids', kind: 'numbers' },
      { name: 'default_location_id', kind: 'number' },
    ],
    secrets: ['api_key', 'webhook_secret'],
    isMapped: false,
  },
  crm_sync: {
    does: ['enabled_outbound'],
    config: [BASE_URL],
    secrets: ['api_key'],
    isMapped: false,
  },
};

const BARE: ProviderForm = {
  does: ['enabled_inbound', 'enabled_outbound'],
  config: [],
  secrets: [],
  isMapped: false,
};

export const formOfProvider = (provider: string): ProviderForm => FORMS[provider] ?? BARE;

/** A provider of somebody's own has no words of ours: it is called as it calls itself. */
export const nameOfProvider = (say: Say, provider: string): string =>
  provider in FORMS ? say(`provider.${provider}` as WordKey) : provider;

export const MAPPED = [
  'event_category',
  'event_type',
  'client_id',
  'email',
  'phone',
  'barcode_value',
  'amount',
  'currency',
  'external_id',
  'event_timestamp',
  'metadata',
] as const;

export type Mapping = Partial<Record<(typeof MAPPED)[number], string>>;

/** What most shops send, to start from. */
export const FIRST_MAPPING: Mapping = {
  event_category: '"transaction"',
  event_type: '"purchase"',
  email: 'body.customer.email',
  amount: 'body.total',
  currency: 'body.currency',
  external_id: 'string(body.id)',
};

type Config = Record<string, unknown>;

/** A field of the configuration, as it is typed. */
export function typedOf(config: Config, { name }: ConfigField): string {
  const value = config[name];
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}

/** What was typed, as the configuration has it; null takes it away. What is no number is sent as it is, and refused at its field. */
export function readTyped(typed: string, { kind }: ConfigField): unknown {
  const text = typed.trim();
  if (kind === 'text') return text === '' ? null : text;
  if (kind === 'number') return text === '' ? null : numberOf(text);
  return text === '' ? [] : text.split(/[\s,;]+/).map(numberOf);
}

const numberOf = (text: string): number | string =>
  Number.isFinite(Number(text)) ? Number(text) : text;
