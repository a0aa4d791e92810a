import { newTemplate, type Template, type TemplateChanges } from '../domain/template/template';
import type { CardFacts } from '../domain/wallet/facts';
import type { ShownPass } from '../domain/wallet/view';

export const WORKSPACE_ID = '01990000-0000-7000-8000-00000000000a';
export const PROJECT_ID = '01990000-0000-7000-8000-00000000000b';
export const TEMPLATE_ID = '01990000-0000-7000-8000-00000000000c';
export const PASS_ID = '01990000-0000-7000-8000-00000000000d';

export function sampleTemplate(fields: TemplateChanges = {}): Template {
  return newTemplate(
    {
      id: TEMPLATE_ID,
      workspaceId: WORKSPACE_ID,
      projectId: PROJECT_ID,
      fields: { name: 'Loyalty card', ...fields },
    },
    { userId: null, now: new Date('2026-01-01T00:00:00Z') },
  );
}

export const samplePass: ShownPass = {
  pass_fields: {},
  barcode_value: 'BARCODE-1',
  notification: null,
  status: 'active',
  expires_at: null,
};

export function sampleFacts(facts: Partial<CardFacts> = {}): CardFacts {
  return {
    organizationName: 'Bean & Leaf',
    language: 'en',
    passFields: {},
    identity: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
    customFields: { shoe_size: 38, city: 'Berlin' },
    wallets: [
      wallet({ code: 'beans', name: 'Beans', is_default: true, points: 12.5 }),
      wallet({ code: 'stars', name: 'Stars', is_default: false, points: 7 }),
    ],
    tier: { name: 'Gold', level: 2 },
    benefits: [{ label: 'Free refill', value: null }],
    referralCode: 'ADA2345',
    availableRewards: [{ name: 'Muffin', cost_in_points: 10 }],
    activeRewards: [{ name: 'Coffee', coupon_code: 'C-7KQ2' }],
    portalUrl: 'https://example.com/portal/bean-leaf?token=t',
    ...facts,
  };
}

function wallet(
  known: Omit<CardFacts['wallets'][number], 'unit_singular_name' | 'unit_plural_name'>,
) {
  const { code } = known;
  return { ...known, unit_singular_name: code.slice(0, -1), unit_plural_name: code };
}
