import { isLaurelError, type Laurel } from '@laurel/client';
import { type Kind, single } from './kind';

/** What a workspace has one of. What it has from its first day is changed, never made. */

export const settings: Kind = {
  noun: 'settings',
  identity: null,
  fields: ['default_currency', 'default_locale', 'timezone'],
  list: (laurel) => single(laurel.workspaces.getSettings()),
  create: (laurel, body) => laurel.workspaces.updateSettings(body),
  update: (laurel, { body, options }) => laurel.workspaces.updateSettings(body, options),
  read: (laurel) => laurel.workspaces.getSettings(),
};

export const brand: Kind = {
  noun: 'brand',
  identity: null,
  fields: ['name', 'logo', 'icon', 'colours', 'privacy_url', 'imprint_url'],
  list: (laurel) => single(laurel.brand.get()),
  create: (laurel, body) => laurel.brand.set(body),
  update: (laurel, { body, options }) => laurel.brand.set(body, options),
  read: (laurel) => laurel.brand.get(),
};

export const portal: Kind = {
  noun: 'portal',
  identity: null,
  fields: [
    'is_enabled',
    'login_mode',
    'logo_url',
    'primary_color',
    'background_color',
    'welcome_title',
    'welcome_subtitle',
    'show_tier',
    'show_rewards',
    'show_redemption_history',
    'show_referral',
    'cta_label',
    'custom_css',
    'privacy_url',
    'terms_url',
  ],
  list: (laurel) => single(laurel.portalConfig.get()),
  create: (laurel, body) => laurel.portalConfig.set(body),
  update: (laurel, { body, options }) => laurel.portalConfig.set(body, options),
  read: (laurel) => laurel.portalConfig.get(),
};

const OF_REFERRALS = [
  'enabled',
  'completion_criteria',
  'distribution_id',
  'pending_expiry_days',
  'max_referrals_per_referrer',
] as const;

export const referral: Kind = {
  noun: 'referral program',
  identity: null,
  fields: [...OF_REFERRALS.filter((name) => name !== 'distribution_id'), 'distribution'],
  list: (laurel) => single(laurel.referrals.getProgram().catch(nullWhereNone)),
  create: (laurel, body, options) => laurel.referrals.setProgram(body, options),
  update: async (laurel, { body, options }) =>
    laurel.referrals.setProgram({ ...(await referralsNow(laurel)), ...(body as object) }, options),
  remove: (laurel, _id, options) => laurel.referrals.deleteProgram(options),
  read: (laurel) => laurel.referrals.getProgram(),
};

function nullWhereNone(error: unknown): null {
  if (isLaurelError(error) && error.reason === 'no_program') return null;
  throw error;
}

/** It is put as a whole, so that what no file says has to be said again. */
async function referralsNow(laurel: Laurel) {
  const now = await laurel.referrals.getProgram();
  return Object.fromEntries(OF_REFERRALS.map((name) => [name, now[name]])) as Pick<
    typeof now,
    (typeof OF_REFERRALS)[number]
  >;
}
