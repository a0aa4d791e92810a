import type { CallOptions, Laurel } from '@laurel/client';
import type { Body } from './body';
import { actionsOf, createCampaign, listCampaigns, updateCampaign } from './campaigns';
import { LOOK, withoutLineIds } from './cards';

export type { Body };
export type KindName =
  | 'settings'
  | 'data_model'
  | 'wallet_types'
  | 'projects'
  | 'tier_set'
  | 'tiers'
  | 'pass_templates'
  | 'distributions'
  | 'segments'
  | 'rewards'
  | 'webhooks'
  | 'campaigns'
  | 'rules';

interface Change {
  id: string;
  body: never;
  options: CallOptions;
}

interface Read {
  data: object | null;
  response: Response;
}

/** One kind of configuration: what files say of it, and how the platform is asked. */
export interface Kind {
  /** What one of them is called in words. */
  noun: string;
  /** What tells one from another; null where a workspace has one. Files name it by their key where it is a code. */
  identity: string | null;
  /** Whether the identity is the key itself. */
  isCode?: true;
  /** Whether it bears the key that files give it, so that its identity may change. */
  isKeyed?: true;
  /** What files may say, under the names of the API. What they do not say belongs to the console. */
  fields: readonly string[];
  /** What is so where nobody says otherwise; files that are pulled leave it out, and everything empty. */
  usual?: Body;
  list(laurel: Laurel): Promise<Body[]>;
  create(laurel: Laurel, body: never, options: { idempotencyKey: string }): Promise<unknown>;
  update(laurel: Laurel, change: Change): Promise<unknown>;
  /** Where there may be none: what others use is refused. */
  remove?(laurel: Laurel, id: string, options: CallOptions): Promise<unknown>;
  /** One of them, with the tag of its version; where there are none, a change goes by what was listed. */
  read?(laurel: Laurel, id: string): { withResponse(): Promise<Read> };
  /** What of it stands elsewhere. */
  readBeside?(laurel: Laurel, id: string): Promise<Body>;
}

const rows = async (listed: PromiseLike<readonly object[]>): Promise<Body[]> =>
  (await listed) as Body[];
const single = async (read: PromiseLike<object | null>): Promise<Body[]> => {
  const row = await read;
  return row ? [row as Body] : [];
};

/** In the order in which they are made: what refers comes after what it refers to, and what pays comes last. */
export const KINDS: Readonly<Record<KindName, Kind>> = {
  settings: {
    noun: 'settings',
    identity: null,
    fields: ['default_currency', 'default_locale', 'timezone'],
    list: (laurel) => single(laurel.workspaces.getSettings()),
    // A workspace has them from its first day.
    create: (laurel, body) => laurel.workspaces.updateSettings(body),
    update: (laurel, { body, options }) => laurel.workspaces.updateSettings(body, options),
    read: (laurel) => laurel.workspaces.getSettings(),
  },
  data_model: {
    noun: 'field',
    identity: 'field_name',
    isCode: true,
    fields: ['field_label', 'field_type', 'is_required', 'sort_order', 'options'],
    usual: { is_required: false },
    list: async (laurel) =>
      (await rows(laurel.dataModel.list())).filter(({ is_system }) => is_system !== true),
    create: (laurel, body, options) => laurel.dataModel.create(body, options),
    update: (laurel, { id, body }) => laurel.dataModel.update(id, body),
    remove: (laurel, id, options) => laurel.dataModel.delete(id, options),
  },
  wallet_types: {
    noun: 'wallet type',
    identity: 'code',
    isCode: true,
    fields: [
      'name',
      'is_default',
      'active',
      'unit_singular_name',
      'unit_plural_name',
      'pending_days',
      'expiry_days',
      'max_balance',
      'allow_negative_balance',
    ],
    usual: { is_default: false, active: true, allow_negative_balance: false },
    list: (laurel) => rows(laurel.walletTypes.list()),
    create: (laurel, body, options) => laurel.walletTypes.create(body, options),
    update: (laurel, { id, body, options }) => laurel.walletTypes.update(id, body, options),
    remove: (laurel, id, options) => laurel.walletTypes.delete(id, options),
    read: (laurel, id) => laurel.walletTypes.get(id),
  },
  projects: {
    noun: 'project',
    identity: 'name',
    isKeyed: true,
    fields: ['name'],
    list: (laurel) => rows(laurel.projects.list()),
    create: (laurel, body, options) => laurel.projects.create(body, options),
    update: (laurel, { id, body, options }) => laurel.projects.update(id, body, options),
    remove: (laurel, id, options) => laurel.projects.delete(id, options),
    read: (laurel, id) => laurel.projects.get(id),
  },
  tier_set: {
    noun: 'tier set',
    identity: null,
    fields: ['name', 'active', 'conditions', 'downgrade_config'],
    usual: { active: true },
    list: (laurel) => single(laurel.tiers.getSet()),
    create: (laurel, body, options) => laurel.tiers.createSet(body, options),
    update: (laurel, { body, options }) => laurel.tiers.updateSet(body, options),
    remove: (laurel, _id, options) => laurel.tiers.deleteSet(options),
    read: (laurel) => laurel.tiers.getSet(),
  },
  tiers: {
    noun: 'tier',
    identity: 'name',
    isKeyed: true,
    fields: [
      'name',
      'description',
      'sort_order',
      'kind',
      'condition_values',
      'benefits',
      'color',
      'icon',
      'pass_sync_config',
      'pass_template',
      'notification_config',
    ],
    usual: { kind: 'auto' },
    list: async (laurel) => ((await laurel.tiers.getSet())?.tiers ?? []) as unknown as Body[],
    create: (laurel, body, options) => laurel.tiers.create(body, options),
    update: (laurel, { id, body, options }) => laurel.tiers.update(id, body, options),
    remove: (laurel, id, options) => laurel.tiers.delete(id, options),
    read: (laurel, id) => laurel.tiers.get(id),
  },
  pass_templates: {
    noun: 'pass template',
    identity: 'name',
    isKeyed: true,
    fields: ['project', 'name', ...LOOK, 'tier'],
    usual: {
      pass_type: 'LOYALTY',
      barcode_type: 'qr',
      show_benefits_on_back: false,
      show_available_rewards_on_back: false,
      show_active_rewards_on_back: false,
      show_loyalty_portal_link_on_back: false,
      show_referral_code_on_back: false,
    },
    list: async (laurel) => (await rows(laurel.passTemplates.list())).map(withoutLineIds),
    create: (laurel, body, options) => laurel.passTemplates.create(body, options),
    update: (laurel, { id, body, options }) => laurel.passTemplates.update(id, body, options),
    remove: (laurel, id, options) => laurel.passTemplates.delete(id, options),
    read: (laurel, id) => laurel.passTemplates.get(id),
  },
  distributions: {
    noun: 'distribution',
    identity: 'name',
    isKeyed: true,
    fields: [
      'project',
      'pass_template',
      'name',
      'delivery_mode',
      'status',
      'form_fields_config',
      'require_marketing_consent',
      'allowed_origins',
      'page_enabled',
      'privacy_url',
      'terms_url',
      'starts_at',
      'ends_at',
      'submission_limit',
    ],
    usual: { delivery_mode: 'embed', status: 'active', require_marketing_consent: false },
    list: (laurel) => rows(laurel.distributions.list()),
    create: (laurel, body, options) => laurel.distributions.create(body, options),
    update: (laurel, { id, body, options }) => laurel.distributions.update(id, body, options),
    remove: (laurel, id, options) => laurel.distributions.delete(id, options),
    read: (laurel, id) => laurel.distributions.get(id),
  },
  segments: {
    noun: 'segment',
    identity: 'name',
    isKeyed: true,
    fields: ['name', 'description', 'filters'],
    list: (laurel) => rows(laurel.segments.list()),
    create: (laurel, body, options) => laurel.segments.create(body, options),
    update: (laurel, { id, body, options }) => laurel.segments.update(id, body, options),
    remove: (laurel, id, options) => laurel.segments.delete(id, options),
    read: (laurel, id) => laurel.segments.get(id),
  },
  rewards: {
    noun: 'reward',
    identity: 'name',
    isKeyed: true,
    fields: [
      'name',
      'cost_in_points',
      'description',
      'code_pattern',
      'active',
      'wallet_type',
      'monetary_value',
      'availability_start',
      'availability_end',
      'visibility_tiers',
      'visibility_segments',
      'usage_limit',
      'usage_limit_per_client',
      'categories',
      'sort_order',
      'purchasable',
      'notification_config',
    ],
    usual: { active: true, purchasable: true, sort_order: 0 },
    list: (laurel) => rows(laurel.rewards.list({ limit: 100 }).all()),
    create: (laurel, body, options) => laurel.rewards.create(body, options),
    update: (laurel, { id, body, options }) => laurel.rewards.update(id, body, options),
    remove: (laurel, id, options) => laurel.rewards.delete(id, options),
    read: (laurel, id) => laurel.rewards.get(id),
  },
  webhooks: {
    noun: 'webhook',
    identity: 'url',
    isKeyed: true,
    fields: ['url', 'event_types', 'description', 'active'],
    usual: { active: true },
    list: (laurel) => rows(laurel.webhooks.list({ limit: 100 }).all()),
    // Its secret is shown once, so it takes no key.
    create: (laurel, body) => laurel.webhooks.create(body),
    update: (laurel, { id, body, options }) => laurel.webhooks.update(id, body, options),
    remove: (laurel, id, options) => laurel.webhooks.delete(id, options),
    read: (laurel, id) => laurel.webhooks.get(id),
  },
  campaigns: {
    noun: 'campaign',
    identity: 'name',
    isKeyed: true,
    fields: ['name', 'description', 'segment', 'scheduled_at', 'actions'],
    list: listCampaigns,
    create: createCampaign,
    update: updateCampaign,
    remove: (laurel, id, options) => laurel.campaigns.delete(id, options),
    read: (laurel, id) => laurel.campaigns.get(id),
    readBeside: async (laurel, id) => ({ actions: await actionsOf(laurel, id) }),
  },
  rules: {
    noun: 'rule',
    identity: 'name',
    isKeyed: true,
    fields: [
      'name',
      'description',
      'active',
      'priority',
      'trigger_type',
      'trigger_config',
      'conditions',
      'effects',
      'limits',
      'activity_window',
      'expiry_override',
    ],
    usual: { active: true, priority: 0 },
    list: (laurel) => rows(laurel.automations.list()),
    create: (laurel, body, options) => laurel.automations.create(body, options),
    update: (laurel, { id, body, options }) => laurel.automations.update(id, body, options),
    remove: (laurel, id, options) => laurel.automations.delete(id, options),
    read: (laurel, id) => laurel.automations.get(id),
  },
};

/** What files call a kind at their top; also the key of what there is one of. */
export const topOf = (kind: KindName): string => (kind === 'tier_set' ? 'tiers' : kind);

export const KIND_NAMES = Object.keys(KINDS) as KindName[];
