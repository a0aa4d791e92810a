import { createLanguage } from '@laurel/page-kit/language';
import { createFormat } from '../format/format';
import { notedInWords } from '../noted';
import { de } from '../words/de';
import type { RuleBody } from './body';
import { happeningFor, tellForeseen, tellSkipped } from './outcome';
import type { Telling } from './sentence';

const language = createLanguage('de-DE', de);
const telling: Telling = {
  say: language.say,
  knows: language.knows,
  format: createFormat('de-DE', 'Europe/Berlin', 'EUR'),
  names: {
    currencies: [
      { code: 'beans', name: 'Bohnen', unit_singular_name: 'Bohne', unit_plural_name: 'Bohnen' },
    ],
    tiers: [{ id: 't', name: 'Gold' }],
    segments: [],
    rewards: [{ id: 'r', name: 'Kaffee' }],
    cards: [{ id: 'c', name: 'Rote Karte' }],
    webhooks: [],
    fields: [{ id: 'pet', name: 'Haustier' }],
    usualRate: 1,
  },
  days: [],
};

describe('what a rule would do is said in the language of the reader', () => {
  test.each([
    [
      { type: 'earn_points', summary: 'earn 5 beans', points: 5, wallet_type_code: 'beans' },
      '5 Bohnen',
    ],
    [
      {
        type: 'deduct_points',
        summary: 'deduct 1.5 beans',
        points: -1.5,
        wallet_type_code: 'beans',
      },
      '1,5 Bohnen nehmen',
    ],
    [{ type: 'give_reward', summary: 'give a reward', reward_id: 'r' }, 'die Prämie „Kaffee“'],
    [{ type: 'assign_tier', summary: 'assign a tier', tier_id: 't' }, 'die Stufe Gold'],
    [{ type: 'remove_tier', summary: 'remove the tier' }, 'keine Stufe mehr'],
    [{ type: 'send_push', summary: 'send "Hallo "Ann""' }, 'die Nachricht „Hallo "Ann"“'],
    [{ type: 'update_client_field', summary: 'set pet to "dog"' }, 'Haustier wird "dog"'],
    [{ type: 'call_webhook', summary: 'call a webhook' }, 'Webhook rufen'],
    [
      {
        type: 'give_reward',
        summary: 'giving the reward would be refused: the reward is out of coupons',
      },
      'Prämie geben würde abgelehnt: Für diese Prämie sind keine Codes mehr da.',
    ],
  ])('%j', (effect, told) => {
    expect(tellForeseen(telling, effect)).toBe(told);
  });

  test('a tier is given for the days that the rule says', () => {
    const effect = { type: 'assign_tier', summary: 'assign a tier', tier_id: 't' };
    const written = { type: 'assign_tier', tier_id: 't', duration_days: 7 } as const;
    expect(tellForeseen(telling, effect, written)).toBe('die Stufe Gold für 7 Tage');
  });

  test('a card has the name that the rule gives it', () => {
    const effect = { type: 'switch_template', summary: 'switch the pass template' };
    const written = { type: 'switch_template', template_id: 'c' } as const;
    expect(tellForeseen(telling, effect, written)).toBe('die Karte „Rote Karte“');
  });
});

describe('why a rule would not run', () => {
  const rule: RuleBody = {
    name: 'Reich',
    trigger_type: 'transaction',
    conditions: [
      { type: 'tier', tier_id: 't' },
      { type: 'wallet_balance', wallet_type_code: 'beans', operator: 'gte', value: 100 },
    ],
    effects: [],
  };
  const skipped = (reason: string, detail: string, conditions: object[] = []) =>
    tellSkipped(
      telling,
      { rule_id: '1', name: 'Reich', reason, detail, conditions } as never,
      rule,
    );

  test('names the condition, and what is in its place', () => {
    const conditions = [
      { index: 0, holds: true, actual: 't', wanted: 't' },
      { index: 1, holds: false, actual: 40.5, wanted: { operator: 'gte', value: 100 } },
    ];
    const detail = 'condition 1: balance of beans is 40.5, not gte 100';
    expect(skipped('condition_failed', detail, conditions)).toBe(
      'Nur wenn das Guthaben Bohnen mindestens 100 ist; es sind 40,5.',
    );
  });

  test('names the limit, the amount and the formula', () => {
    expect(skipped('limit_reached', 'total_budget is used up')).toBe('Punkte insgesamt');
    expect(skipped('trigger_mismatch', 'min_amount')).toBe('Der Betrag ist dafür zu klein.');
    expect(skipped('condition_failed', 'the rule would fail: division by zero')).toBe(
      'Durch null lässt sich nicht teilen.',
    );
    expect(skipped('inactive', 'the rule is switched off')).toBeNull();
  });

  test('says why its conditions were not asked', () => {
    const words = (detail: string) => skipped('condition_failed', detail, []);
    expect(words('the client is not active')).toBe(language.say('wrong.clientOff'));
    expect(words('the formulas of the rules before take too long with these values')).toBe(
      language.say('formula.wrong.dear'),
    );
  });
});

test.each([
  ['limit_reached: per_client_budget', 'Grenze erreicht: Punkte je Kunde insgesamt'],
  ['no_pass', 'keine Karte'],
  [
    'deduct_points: the active balance is not sufficient',
    'Punkte nehmen: Das Guthaben reicht dafür nicht.',
  ],
  [
    'the amount formula did not give a number',
    'Die Formel der Menge ergibt keine, die gegeben werden kann.',
  ],
  ['the moon is in the wrong house', 'the moon is in the wrong house'],
])('what is noted of a run, %s, reads as %s', (noted, words) => {
  expect(notedInWords(language, noted)).toBe(words);
});

test('a rule is tried on what it asks for: the field, the way it changes, the friend', () => {
  const effects: RuleBody['effects'] = [];
  expect(
    happeningFor({
      name: 'Up',
      trigger_type: 'field_change',
      trigger_config: { field_names: ['visits'], change_direction: 'increase' },
      effects,
    }),
  ).toEqual({
    trigger_type: 'field_change',
    event_type: 'field_updated',
    field_name: 'visits',
    old_value: '0',
    new_value: '1',
  });
  const trigger_config = { role: 'referee' as const };
  expect(
    happeningFor({ name: 'Friend', trigger_type: 'referral', trigger_config, effects }),
  ).toMatchObject({ role: 'referee' });
});
