import { type AttributionFacts, OUTCOMES, outcomeOf } from './attribution';
import { newProgram } from './program';

const program = newProgram(
  { id: 'p', workspaceId: 'w', now: new Date() },
  {
    enabled: true,
    completion_criteria: 'first_transaction',
    distribution_id: null,
    pending_expiry_days: null,
    max_referrals_per_referrer: 2,
  },
);
const good: AttributionFacts = {
  program,
  isOwnCode: false,
  referrerEnrolled: true,
  isAttributed: false,
  wasEnrolled: false,
  closesCycle: false,
  referrerCompleted: 1,
};

/** From the first that is asked to the last; each alone, and together with all that come after it. */
const REASONS: [string, Partial<AttributionFacts>][] = [
  ['program_disabled', { program: { ...program, enabled: false } }],
  ['self_referral', { isOwnCode: true }],
  ['referrer_not_enrolled', { referrerEnrolled: false }],
  ['already_attributed', { isAttributed: true }],
  ['not_eligible', { wasEnrolled: true }],
  ['referrer_at_cap', { referrerCompleted: 2 }],
];

describe('the outcome of a code', () => {
  test('is applied when nothing speaks against it', () => {
    expect(outcomeOf(good)).toBe('applied');
  });

  test.each(REASONS)('is %s', (outcome, facts) => {
    expect(outcomeOf({ ...good, ...facts })).toBe(outcome);
  });

  test('names the first reason in the order of the specification', () => {
    const facts = REASONS.map(([, each]) => each);
    for (const [position, [outcome]] of REASONS.entries()) {
      const all = Object.assign({}, good, ...facts.slice(position).reverse());
      expect(outcomeOf(all)).toBe(outcome);
    }
  });

  test('is program_disabled without a program, and not_eligible where it would close a cycle', () => {
    expect(outcomeOf({ ...good, program: null })).toBe('program_disabled');
    expect(outcomeOf({ ...good, closesCycle: true })).toBe('not_eligible');
  });

  test('knows no cap where the program has none', () => {
    const uncapped = { ...program, max_referrals_per_referrer: null };
    expect(outcomeOf({ ...good, program: uncapped, referrerCompleted: 1e6 })).toBe('applied');
  });

  test('leaves room up to the cap and none beyond it', () => {
    expect(outcomeOf({ ...good, referrerCompleted: 1 })).toBe('applied');
    expect(outcomeOf({ ...good, referrerCompleted: 3 })).toBe('referrer_at_cap');
  });

  test('is one of those that the specification names', () => {
    expect(OUTCOMES).toEqual([
      'applied',
      'invalid_code',
      'program_disabled',
      'self_referral',
      'referrer_not_enrolled',
      'already_attributed',
      'not_eligible',
      'referrer_at_cap',
    ]);
  });
});
