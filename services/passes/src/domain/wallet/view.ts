import { type BarcodeType, type Language, luminanceOf, type PassType } from '@laurel/contract';
import { canBear } from '../pass/barcode';
import type { Pass } from '../pass/pass';
import { factNeeds, tidyText } from '../pass/placeholders';
import { type PushTexts, shownText } from '../pass/push-texts';
import type { Location, PassField, Template } from '../template/template';
import { backSections } from './back';
import type { CardFacts, CardNeeds } from './facts';
import type { Line } from './line';
import { overriding } from './overrides';

/** What a pass shows, whatever draws it: Apple, Google and the preview all start from here. */
export interface PassView {
  passType: PassType;
  language: Language;
  organizationName: string;
  /** Whose pass it is; null for a pass without a client and for clients without a name. */
  holderName: string | null;
  description: string;
  logoText: string;
  backgroundColor: string;
  labelColor: string;
  valueColor: string;
  /** Image sources with their placeholders filled; null where there is none. */
  icon: string | null;
  logo: string | null;
  coverImage: string | null;
  barcode: { type: Exclude<BarcodeType, 'none'>; value: string; label: string } | null;
  top: Line | null;
  front: Line[];
  secondary: Line[];
  back: Line[];
  /** The text that was pushed last, or is about to be; phones show it when it changes. */
  notification: string | null;
  /** How many texts had changed another by then, which tells it from the same one of before. */
  notificationRepeat: number;
  locations: readonly Location[];
  locationMessage: string | null;
  deeplink: { appId: number | null; url: string | null };
  voided: boolean;
  expiresAt: Date | null;
}

/** The parts of a pass that decide what it shows; a preview makes them up. */
export type ShownPass = Pick<
  Pass,
  'pass_fields' | 'barcode_value' | 'notification' | 'status' | 'expires_at'
> &
  Partial<PushTexts>;

type Fill = (text: string | null) => string;

/** The line of the client's tier. */
export const TIER_KEY = 'tier_label';
export const BACKGROUND = '#1F2937';
const ON_DARK = '#FFFFFF';
const ON_LIGHT = '#111827';
/** Above it, black text on a colour is easier to read than white. */
const LIGHT_LUMINANCE = 0.45;

/** Draws a pass up: the template, with the overrides of the pass and every placeholder filled. Pure. */
export function viewPass(template: Template, pass: ShownPass, facts: CardFacts): PassView {
  const design = overriding(template, pass.pass_fields);
  const known = { ...facts, passFields: pass.pass_fields };
  const fill: Fill = (text) => tidyText(text ?? '', known);
  const lines = (fields: readonly PassField[]): Line[] =>
    fields.map(({ id, label, value }) => ({ key: id, label: fill(label), value: fill(value) }));
  const backgroundColor = design.background_color ?? BACKGROUND;
  const readable = isLight(backgroundColor) ? ON_LIGHT : ON_DARK;
  const hasTop = Boolean(design.top_field_label || design.top_field_value);
  const text = shownText(pass);
  return {
    passType: design.pass_type,
    language: facts.language,
    organizationName: facts.organizationName,
    holderName: nameOf(facts),
    description: fill(design.description) || fill(design.name),
    logoText: fill(design.logo_text),
    backgroundColor,
    labelColor: design.label_color ?? readable,
    valueColor: design.value_color ?? readable,
    icon: sourceOf(design.icon, fill),
    logo: sourceOf(design.logo, fill),
    coverImage: sourceOf(design.cover_image, fill),
    barcode: barcodeOf(design, pass.barcode_value, fill),
    top: hasTop
      ? { key: 'top', label: fill(design.top_field_label), value: fill(design.top_field_value) }
      : null,
    front: lines(design.front_fields),
    secondary: [...tierLine(design, facts, fill), ...lines(design.secondary_fields)],
    back: backSections(design, lines(design.back_fields), facts),
    notification: text?.text ?? null,
    notificationRepeat: text?.repeat ?? 0,
    locations: design.locations.map((place) => ({
      ...place,
      ...(place.name ? { name: fill(place.name) } : {}),
    })),
    locationMessage: fill(design.location_message) || null,
    deeplink: { appId: design.ios_deeplink_id, url: design.ios_deeplink_url },
    voided: pass.status === 'voided',
    expiresAt: pass.expires_at,
  };
}

/** The pictures of a pass that its template does not name for everybody: they may be of its client alone. */
export function ownPictures(template: Template, view: PassView): string[] {
  const drawn = [
    [view.icon, template.icon],
    [view.logo, template.logo],
    [view.coverImage, template.cover_image],
  ] as const;
  const own = drawn.flatMap(([source, named]) =>
    source && source !== named?.trim() ? [source] : [],
  );
  return [...new Set(own)];
}

/** What has to be known before a pass on the template can be drawn up. */
export function factsNeeded(template: Template, pass: Pick<ShownPass, 'pass_fields'>): CardNeeds {
  const mentioned = factNeeds([JSON.stringify([template, pass.pass_fields])]);
  return {
    wallets: mentioned.wallets,
    tier: mentioned.tier || Boolean(template.tier_label),
    referralCode: mentioned.referralCode || template.show_referral_code_on_back,
    benefits: template.show_benefits_on_back,
    availableRewards: template.show_available_rewards_on_back,
    activeRewards: template.show_active_rewards_on_back,
    portalUrl: template.show_loyalty_portal_link_on_back,
  };
}

function nameOf({ identity }: CardFacts): string | null {
  const names = [identity?.first_name, identity?.last_name].filter((name) => !!name);
  return names.length === 0 ? null : names.join(' ');
}

function sourceOf(source: string | null, fill: Fill): string | null {
  return source === null ? null : fill(source) || null;
}

/** The pass's own value and nothing else (part 4, section 3); none where this type could not show it yet. */
function barcodeOf(
  { barcode_type: type, barcode_label: label }: Template,
  value: string,
  fill: Fill,
): PassView['barcode'] {
  if (type === 'none' || !canBear(type, value)) return null;
  return { type, value, label: fill(label) };
}

function tierLine({ tier_label: label }: Template, { tier }: CardFacts, fill: Fill): Line[] {
  return label && tier ? [{ key: TIER_KEY, label: fill(label), value: tier.name }] : [];
}

const isLight = (colour: string): boolean => luminanceOf(colour) > LIGHT_LUMINANCE;
