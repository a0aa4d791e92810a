import type { Template } from '../../core/domain/template';
import type { CardFacts } from './facts';
import type { Line } from './view';

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

function benefits({ benefits: all, tier }: CardFacts): Line[] {
  if (all.length === 0) return [];
  const texts = all.map(({ label, value }) => (value ? `${label}: ${value}` : label));
  return [
    {
      key: 'benefits',
      label: tier ? `Your ${tier.name} benefits` : 'Your benefits',
      value: list(texts),
    },
  ];
}

function availableRewards({ availableRewards: rewards }: CardFacts): Line[] {
  if (rewards.length === 0) return [];
  const texts = rewards.map(({ name, cost_in_points }) => `${name} (${cost_in_points})`);
  return [{ key: 'available_rewards', label: 'Rewards for you', value: list(texts) }];
}

function activeRewards({ activeRewards: rewards }: CardFacts): Line[] {
  if (rewards.length === 0) return [];
  const texts = rewards.map(({ name, coupon_code }) =>
    coupon_code ? `${name}: ${coupon_code}` : name,
  );
  return [{ key: 'active_rewards', label: 'Your rewards', value: list(texts) }];
}

function portalLink({ portalUrl }: CardFacts): Line[] {
  if (portalUrl === null) return [];
  return [{ key: 'loyalty_portal_link', label: 'Your account', value: portalUrl, url: portalUrl }];
}

function referralCode({ referralCode: code }: CardFacts): Line[] {
  return code === null ? [] : [{ key: 'referral_code', label: 'Your referral code', value: code }];
}

const list = (texts: readonly string[]): string => texts.map((text) => `• ${text}`).join('\n');
