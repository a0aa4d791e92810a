import type { Language } from '../../language';

/** What was done to what: "Reward · redeemed". */
export function sayChange({ say, knows }: Language, action: string): string {
  const [thing = '', done = ''] = action.split('.');
  const wordOr = (key: string, other: 'thing.other' | 'done.other') =>
    say(knows(key) ? key : other);
  return `${wordOr(`thing.${thing}`, 'thing.other')} · ${wordOr(`done.${done}`, 'done.other')}`;
}

/** Members of the platform's things, by the part of a thing that people would name. */
const PARTS = {
  name: 'name field_label program_name logo_text',
  words:
    'description text subject button welcome_title welcome_subtitle cta_label location_message',
  state: 'active is_enabled enabled page_enabled status include_actions',
  key: 'key slug confirm_slug code field_name event_type',
  order: 'sort sort_order priority action_ids rule_ids tier_ids back_sections_order',
  picture: 'logo icon cover_image image logo_url sourceUrl',
  colour: 'background_color label_color value_color color colours primary_color custom_css',
  price: 'cost_in_points skip_points_cost',
  worth: 'monetary_value purchase_amount',
  amount: 'amount ratio operations',
  customer:
    'client_id first_name last_name source_client_id target_client_id from_client_id to_client_id',
  contact: 'email phone',
  birthday: 'birth_date',
  consent: 'marketing_consent marketing_consent_text require_marketing_consent',
  ownFields: 'custom_fields',
  currency: 'wallet_type_code wallet_type_id is_default unit_singular_name unit_plural_name',
  expiry:
    'expiry_days expires_after_days expires_at expiry_override pending_days pending_expiry_days expires_in_seconds duration_days',
  time: 'scheduled_at starts_at ends_at availability_start availability_end activity_window occurred_at event_timestamp to',
  limit:
    'limits usage_limit usage_limit_per_client submission_limit max_balance allow_negative_balance max_referrals_per_referrer',
  who: 'segment_id manual_client_ids client_ids visibility_tiers visibility_segments filters purchasable',
  trigger: 'trigger_type trigger_config event_types completion_criteria',
  conditions: 'conditions condition_values downgrade_config kind',
  effects: 'effects action_config action_type',
  benefits: 'benefits',
  card: 'pass_template_id target_template_id project_id project_ids distribution_id',
  cardFace:
    'front_fields secondary_fields back_fields top_field_label top_field_value barcode_type barcode_id barcode_label barcode_value show_benefits_on_back show_available_rewards_on_back show_active_rewards_on_back show_loyalty_portal_link_on_back show_referral_code_on_back tier_label pass_fields locations',
  asked:
    'form_fields form_fields_config hidden_fields is_required options field_type delivery_mode',
  legal: 'privacy_url terms_url imprint_url',
  pages: 'allowed_origins',
  role: 'role allowed_role_ids user_id workspace_user_id',
  codes: 'code_pattern codes',
  reward: 'reward_id categories',
  tier: 'tier_id',
  message: 'notification_config notification send_notification',
  url: 'url ios_deeplink_url',
  secret:
    'secrets credentials certificate passphrase wwdr_certificate service_account issuer_id team_identifier pass_type_identifier apple_pass_type_identifier',
  money: 'default_currency program_currency',
  language: 'default_locale',
  zone: 'timezone',
  replies: 'reply_to',
  shown: 'show_tier show_rewards show_redemption_history show_referral login_mode',
  reason: 'reason',
  handedOver: 'used',
} as const;

type Part = keyof typeof PARTS | 'other';

const PART_OF = new Map(
  Object.entries(PARTS).flatMap(([part, names]) =>
    names.split(' ').map((name) => [name, part as Part] as const),
  ),
);

const partOf = (name: string): Part => PART_OF.get(name) ?? 'other';

/** The parts that a change names, each once; those without a word of ours last, and once for all of them. */
export function sayParts({ say }: Pick<Language, 'say'>, names: readonly string[]): string {
  const parts = new Set(names.map(partOf));
  const isMore = parts.delete('other');
  return [...parts, ...(isMore ? (['other'] as const) : [])]
    .map((part) => say(`part.${part}`))
    .join(', ');
}

export interface ChangedValue {
  name: string;
  from: unknown;
  to: unknown;
}

/** From what to what, where both can be read; the rest by their parts. */
export function sayValues(
  language: Pick<Language, 'say' | 'number'>,
  names: readonly string[],
  values: readonly ChangedValue[],
): string[] {
  const { say } = language;
  const told = values.filter(
    ({ name, from, to }) => names.includes(name) && PART_OF.has(name) && isTold(from) && isTold(to),
  );
  const rest = names.filter((name) => !told.some((value) => value.name === name));
  const said = told.map(({ name, from, to }) =>
    say('audit.fromTo', {
      part: say(`part.${partOf(name)}`),
      from: sayValue(language, from),
      to: sayValue(language, to),
    }),
  );
  return [...said, ...(rest.length > 0 ? [sayParts(language, rest)] : [])];
}

/** An id or a word of the platform tells a reader nothing. */
const isTold = (value: unknown): boolean =>
  value === null ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && !/^[0-9a-f]{8}-[0-9a-f-]{27}$|^[a-z]+(_[a-z]+)+$/.test(value));

function sayValue({ say, number }: Pick<Language, 'say' | 'number'>, value: unknown): string {
  if (value === null || value === '') return say('audit.nothing');
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no');
  return typeof value === 'number' ? number(value) : String(value);
}
