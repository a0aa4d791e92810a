import { TEMPLATE_FIELD_LISTS } from '@laurel/contract';
import type { Body } from './body';

/** What a file may say of how a card looks. */
export const LOOK = [
  'description',
  'pass_type',
  'apple_pass_type_identifier',
  'background_color',
  'label_color',
  'value_color',
  'logo_text',
  'icon',
  'logo',
  'cover_image',
  'barcode_type',
  'barcode_id',
  'barcode_label',
  'top_field_label',
  'top_field_value',
  'front_fields',
  'secondary_fields',
  'back_fields',
  'show_benefits_on_back',
  'show_available_rewards_on_back',
  'show_active_rewards_on_back',
  'show_loyalty_portal_link_on_back',
  'show_referral_code_on_back',
  'back_sections_order',
  'locations',
  'location_message',
  'ios_deeplink_id',
  'ios_deeplink_url',
  'tier_label',
  'expires_after_days',
];

/** The platform gives each line of a card an id of its own. */
export const withoutLineIds = (row: Body): Body => ({
  ...row,
  ...Object.fromEntries(
    TEMPLATE_FIELD_LISTS.map((name) => [
      name,
      (row[name] as Body[]).map(({ id: _id, ...line }) => line),
    ]),
  ),
});
