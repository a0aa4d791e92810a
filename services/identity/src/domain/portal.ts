export interface PortalSettings {
  is_enabled: boolean;
  logo_url: string | null;
  primary_color: string;
  background_color: string;
  welcome_title: string | null;
  welcome_subtitle: string | null;
  show_tier: boolean;
  show_rewards: boolean;
  show_redemption_history: boolean;
  show_referral: boolean;
  cta_label: string | null;
  custom_css: string | null;
  privacy_url: string | null;
  terms_url: string | null;
  login_mode: 'link' | 'code';
}

/** A portal that is not set up yet (part 3, section 9). */
export const defaultPortal: Readonly<PortalSettings> = {
  is_enabled: false,
  logo_url: null,
  primary_color: '#1F6F54',
  background_color: '#F6F7F4',
  welcome_title: null,
  welcome_subtitle: null,
  show_tier: true,
  show_rewards: true,
  show_redemption_history: true,
  show_referral: true,
  cta_label: null,
  custom_css: null,
  privacy_url: null,
  terms_url: null,
  login_mode: 'link',
};

/** What somebody else says where a portal says nothing. */
type Fallback = { [Name in keyof PortalSettings]?: PortalSettings[Name] | null };

/** A portal as it stands: what was set, else what its shop looks like, else the defaults. */
export function portalOf(stored: Fallback = {}, fallback: Fallback = {}): PortalSettings {
  return { ...defaultPortal, ...said(fallback), ...said(stored) };
}

const said = (settings: Fallback): Partial<PortalSettings> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
