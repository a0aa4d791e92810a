import type { Template } from '../template/template';
import type { CardFacts } from './facts';
import type { Line } from './line';
import { cardWordings } from './wordings';

const SECTIONS = [
  'benefits',
  'available_rewards',
  'active_rewards',
  'loyalty_portal_link',
  'referral_code',
  'back_fields',
] as const;
type Section = (typeof SECTIONS)[number];

/** The back of a pass: the sections that are on, those of `back_sections_order` first and in its order. */
export function backSections(design: Template, backFields: Line[], facts: CardFacts): Line[] {
  const sections: Record<Section, () => Line[]> = {
    benefits: () => (design.show_benefits_on_back ? benefits(facts) : []),
    available_rewards: () => (design.show_available_rewards_on_back ? availableRewards(facts) : []),
    active_rewards: () => (design.show_active_rewards_on_back ? activeRewards(facts) : []),
    loyalty_portal_link: () => (design.show_loyalty_portal_link_on_back ? portalLink(facts) : []),
    referral_code: () => (design.show_referral_code_on_back ? referralCode(facts) : []),
    back_fields: () => backFields,
  };
  return orderOf(design.back_sections_order).flatMap((section) => sections[section]());
}

/** Names that are no section are passed over; `show_<section>_on_back` names the section too. */
function orderOf(order: readonly string[] | null): Section[] {
  const named = (order ?? []).map((name) => name.replace(/^show_|_on_back$/g, ''));
  const known = named.filter((name): name is Section => SECTIONS.includes(name as Section));
  return [...new Set([...known, ...SECTIONS])];
}

const wordingOf = ({ language }: CardFacts) => cardWordings[language];

function benefits(facts: CardFacts): Line[] {
  const { benefits: all, tier } = facts;
  if (all.length === 0) return [];
  const texts = all.map(({ label, value }) => (value ? `${label}: ${value}` : label));
  const label = wordingOf(facts).benefits(tier?.name ?? null);
  return [{ key: 'benefits', label, value: list(texts) }];
}

function availableRewards(facts: CardFacts): Line[] {
  const { availableRewards: rewards } = facts;
  if (rewards.length === 0) return [];
  const texts = rewards.map(({ name, cost_in_points }) => `${name} (${cost_in_points})`);
  return [
    { key: 'available_rewards', label: wordingOf(facts).availableRewards, value: list(texts) },
  ];
}

function activeRewards(facts: CardFacts): Line[] {
  const { activeRewards: rewards } = facts;
  if (rewards.length === 0) return [];
  const texts = rewards.map(({ name, coupon_code }) =>
    coupon_code ? `${name}: ${coupon_code}` : name,
  );
  return [{ key: 'active_rewards', label: wordingOf(facts).activeRewards, value: list(texts) }];
}

function portalLink(facts: CardFacts): Line[] {
  const { portalUrl } = facts;
  if (portalUrl === null) return [];
  const label = wordingOf(facts).portal;
  return [{ key: 'loyalty_portal_link', label, value: portalUrl, url: portalUrl }];
}

function referralCode(facts: CardFacts): Line[] {
  const { referralCode: code } = facts;
  if (code === null) return [];
  return [{ key: 'referral_code', label: wordingOf(facts).referralCode, value: code }];
}

const list = (texts: readonly string[]): string => texts.map((text) => `• ${text}`).join('\n');
