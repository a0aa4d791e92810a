import { formInWords } from './in-words';
import type { Language, WordKey } from './language';

type Words = Pick<Language, 'say' | 'knows'>;

/** What is noted of work that was done unasked, by the sentence or the word in which the platform notes it. */
const BY_SENTENCE: readonly (readonly [RegExp, WordKey])[] = [
  [/^no_pass$|client has no pass/, 'shortfall.no_pass'],
  [/^no_marketing_consent$|^no marketing consent$/, 'shortfall.no_consent'],
  [/^not_in_tier$/, 'noted.notInTier'],
  [/^nothing_to_award$/, 'noted.nothing'],
  [/^webhook_inactive$/, 'noted.webhookOff'],
  [/reward is not active/, 'wrong.rewardOff'],
  [/reward is not available yet/, 'wrong.rewardEarly'],
  [/reward is no longer available/, 'wrong.rewardEnded'],
  [/reward is for other tiers/, 'wrong.rewardTier'],
  [/reward is for other clients/, 'wrong.rewardSegment'],
  [/redeemed as often as it may be/, 'wrong.rewardUsedUp'],
  [/as often as one client may/, 'wrong.rewardHad'],
  [/out of coupons/, 'wrong.noCodes'],
  [/no such reward|reward does not exist/, 'shortfall.unknown_reward'],
  [/wallet type .*is not active|no such wallet type/, 'wrong.currencyOff'],
  [/wallet is closed/, 'wrong.walletClosed'],
  [/at its max_balance/, 'wrong.maxBalance'],
  [/balance is (?:not sufficient|-?\d)|too few points/, 'refused.insufficientBalance'],
  [/client is anonymized/, 'wrong.clientErased'],
  [/client is not active|active client who is enrolled/, 'wrong.clientOff'],
  [/tier not found|no such tier/, 'wrong.tierGone'],
  [/pass is not of this client any more/, 'noted.cardOfAnother'],
  [/segment of the campaign has been deleted/, 'noted.segmentGone'],
  [/the amount formula /, 'noted.amountFormula'],
  [/the value formula /, 'noted.valueFormula'],
  [/a service did not answer/, 'refused.away'],
  [/could not be (?:replayed|evaluated)/, 'refused.other'],
];

/** Limits of a rule, as the platform names them. */
const LIMITS: Readonly<Record<string, WordKey>> = {
  total_executions: 'limit.total',
  executions_per_client: 'limit.perClient',
  total_budget: 'limit.budget',
  per_client_budget: 'limit.clientBudget',
};

export const limitInWords = (say: Words['say'], limit: string): string =>
  LIMITS[limit] ? say(LIMITS[limit]) : limit;

/** What the platform notes of a rule or a campaign, in the reader's words; as it is where there are none. */
export function notedInWords(words: Words, noted: string): string {
  const { say, knows } = words;
  const known = BY_SENTENCE.find(([sentence]) => sentence.test(noted));
  const [, head = '', rest = ''] = /^([a-z_]+): (.+)$/s.exec(noted) ?? [];
  if (head === 'limit_reached') return say('noted.limit', { limit: limitInWords(say, rest) });
  const effect = `then.kind.${head}`;
  if (rest && knows(effect)) return `${say(effect)}: ${notedInWords(words, rest)}`;
  return known ? say(known[1]) : (formInWords(say, noted) ?? noted);
}
