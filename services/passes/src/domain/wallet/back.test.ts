import { sampleFacts, samplePass, sampleTemplate } from '../../testing/samples';
import type { TemplateChanges } from '../template/template';
import type { CardFacts } from './facts';
import { factsNeeded, viewPass } from './view';

const all = {
  show_benefits_on_back: true,
  show_available_rewards_on_back: true,
  show_active_rewards_on_back: true,
  show_loyalty_portal_link_on_back: true,
  show_referral_code_on_back: true,
  back_fields: [{ id: 'own', label: 'Terms', value: 'None' }],
};
const backOf = (changes: TemplateChanges, facts: Partial<CardFacts> = {}) =>
  viewPass(sampleTemplate(changes), samplePass, sampleFacts(facts)).back;
const keysOf = (...asked: Parameters<typeof backOf>) => backOf(...asked).map(({ key }) => key);

test('the back says what the client has and may have, each in a line of its own', () => {
  const benefits = [
    { label: 'Free refill', value: null },
    { label: 'Discount', value: '10 %' },
  ];
  const activeRewards = [
    { name: 'Coffee', coupon_code: 'C-7KQ2' },
    { name: 'Cake', coupon_code: null },
  ];
  const back = backOf(all, { benefits, activeRewards });
  expect(back.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Your Gold benefits: • Free refill\n• Discount: 10 %',
    'Rewards for you: • Muffin (10)',
    'Your rewards: • Coffee: C-7KQ2\n• Cake',
    'Your account: https://example.com/portal/bean-leaf?token=t',
    'Your referral code: ADA2345',
    'Terms: None',
  ]);
});

test('a section that has nothing to say is left out', () => {
  const nothing = { benefits: [], availableRewards: [], activeRewards: [] };
  expect(keysOf(all, { ...nothing, portalUrl: null, referralCode: null })).toEqual(['own']);
  expect(keysOf({ back_fields: all.back_fields })).toEqual(['own']);
  expect(backOf(all, { tier: null })[0]?.label).toBe('Your benefits');
});

test('sections that are named come first and in that order, each once, and what is no section is passed over', () => {
  const order = ['back_fields', 'weather', 'show_referral_code_on_back', 'referral_code'];
  expect(keysOf({ ...all, back_sections_order: order })).toEqual([
    'own',
    'referral_code',
    'benefits',
    'available_rewards',
    'active_rewards',
    'loyalty_portal_link',
  ]);
  const unlike = ['do_not_show_referral_code', 'referral_code_on_back_side'];
  expect(keysOf({ ...all, back_sections_order: unlike })[0]).toBe('benefits');
});

test('only what a card shows has to be known before it is drawn', () => {
  const needed = (changes: TemplateChanges, pass_fields = {}) => {
    const needs = factsNeeded(sampleTemplate(changes), { pass_fields });
    return Object.entries(needs).flatMap(([name, isNeeded]) => (isNeeded ? [name] : []));
  };
  expect(needed({})).toEqual([]);
  expect(needed({ show_benefits_on_back: true })).toEqual(['benefits']);
  expect(needed({ show_available_rewards_on_back: true })).toEqual(['availableRewards']);
  expect(needed({ show_active_rewards_on_back: true })).toEqual(['activeRewards']);
  expect(needed({ show_loyalty_portal_link_on_back: true })).toEqual(['portalUrl']);
  expect(needed({ show_referral_code_on_back: true })).toEqual(['referralCode']);
  expect(needed({ logo_text: '${loyalty.referral_code}' })).toEqual(['referralCode']);
  expect(needed({ tier_label: 'Tier' })).toEqual(['tier']);
  expect(needed({}, { seat: '${loyalty.tier_level}' })).toEqual(['tier']);
  expect(needed({ logo_text: '${wallet:stars.points} {{first_name}}' })).toEqual(['wallets']);
});
