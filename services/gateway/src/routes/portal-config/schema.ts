import { colour, emptyOrSaid, Joi, nullable, oneLine, text, uuid } from '../../schema/types';

export const webAddress = Joi.string()
  .max(2_048)
  .uri({ scheme: ['https', 'http'] })
  .messages({ 'string.uriCustomScheme': '{{#label}} must be an http or https address' });

/** What of a portal anybody may see (part 1, Portal config). */
const shown = {
  is_enabled: Joi.boolean(),
  logo_url: nullable(webAddress),
  primary_color: nullable(colour()),
  background_color: nullable(colour()),
  welcome_title: nullable(oneLine(255)),
  welcome_subtitle: nullable(text(500)),
  show_tier: Joi.boolean(),
  show_rewards: Joi.boolean(),
  show_redemption_history: Joi.boolean(),
  show_referral: Joi.boolean(),
  cta_label: nullable(oneLine(100)),
  custom_css: nullable(text(20_000)),
  privacy_url: nullable(webAddress),
  terms_url: nullable(webAddress),
};
/** Those of them that visitors read. */
const words = {
  welcome_title: nullable(emptyOrSaid(oneLine(255))),
  welcome_subtitle: nullable(emptyOrSaid(text(500))),
  cta_label: nullable(emptyOrSaid(oneLine(100))),
};
const loginMode = Joi.string().valid('link', 'code');

export interface PutPortalConfig {
  is_enabled?: boolean;
  logo_url?: string | null;
  primary_color?: string | null;
  background_color?: string | null;
  welcome_title?: string | null;
  welcome_subtitle?: string | null;
  show_tier?: boolean;
  show_rewards?: boolean;
  show_redemption_history?: boolean;
  show_referral?: boolean;
  cta_label?: string | null;
  custom_css?: string | null;
  privacy_url?: string | null;
  terms_url?: string | null;
  login_mode?: string;
}

export const putPortalConfig = Joi.object<PutPortalConfig>({
  ...shown,
  ...words,
  login_mode: loginMode,
});

export const publicPortalConfig = Joi.object({
  workspace_id: uuid().required(),
  workspace_name: Joi.string().required(),
  workspace_slug: Joi.string().required(),
  ...shown,
  imprint_url: webAddress.optional().description('That of the brand; left out where it has none.'),
})
  .options({ presence: 'required' })
  .meta({ name: 'PublicPortalConfig' });

export const portalConfig = publicPortalConfig
  .keys({ login_mode: loginMode.required() })
  .meta({ name: 'PortalConfig' });
