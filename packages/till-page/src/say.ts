import { Refused } from '@laurel/page-kit';
import type { Language, WordKey } from './language';
import type { Person, WalletType } from './shapes';

const BY_CODE: Readonly<Record<string, WordKey>> = {
  INVALID_CREDENTIALS: 'refused.pairing',
  RATE_LIMITED: 'refused.limited',
  SERVICE_UNAVAILABLE: 'refused.away',
  UNREACHABLE: 'refused.unreachable',
  RECORD_NOT_FOUND: 'refused.unknown',
  NOT_FOUND: 'refused.unknown',
  // Words of the till's own, not of the platform's.
  NOBODY: 'refused.nobody',
  CODES_ONLY: 'refused.codesOnly',
  FORBIDDEN: 'refused.forbidden',
  INVALID_TOKEN: 'refused.unpaired',
  TOKEN_EXPIRED: 'refused.unpaired',
};

const BY_REASON: Readonly<Record<string, WordKey>> = {
  app_switched_off: 'app.off',
  app_user_barred: 'app.barred',
  device_signed_out: 'refused.signedOut',
};

/** What a code does not tell apart: an action that is gone is no card that is not known. */
const BY_SENTENCE: readonly [RegExp, WordKey][] = [
  [/not sufficient|too few points/, 'refused.balance'],
  [/\baction (does not exist|is switched off)|wallet type is not active/, 'refused.action'],
  [/pass is voided or has expired|client is (not active|anonymized)/, 'customer.dead'],
  [/wallet is closed/, 'customer.dead'],
  [/must be at most (\S+)/, 'refused.atMost'],
  [/at its max_balance/, 'refused.full'],
  [/no card that the app may hand out/, 'refused.noCard'],
  [/reward is for other tiers/, 'reason.tier'],
  [/redeemed as often as it may be|out of coupons/, 'reason.gone'],
  [/as often as one client may/, 'reason.had'],
  [/^the reward (is|cannot) /, 'reason.other'],
];

export function sayRefused(language: Language, error: unknown): string {
  const { say } = language;
  if (!(error instanceof Refused)) return say('refused.other');
  const byReason = BY_REASON[error.reason ?? ''];
  if (byReason) return say(byReason);
  // Not decided yet: a sentence about keys or servers helps no cashier.
  if (error.isOpen && !(error.code in BY_CODE)) return say('refused.away');
  return sayProblem(language, { code: error.code, message: error.message });
}

/** A refusal in words of ours, else in the platform's own. */
export function sayProblem(
  { say, number }: Pick<Language, 'say' | 'number'>,
  { code, message }: { code: string; message: string },
): string {
  for (const [sentence, word] of BY_SENTENCE) {
    const found = sentence.exec(message);
    if (found) return say(word, { limit: number(Number(found[1] ?? 0)) });
  }
  const known = BY_CODE[code];
  return known ? say(known) : message;
}

/** A name as far as staff may see it. */
export function nameOf({ say }: Pick<Language, 'say'>, person: Person | null): string {
  const name = [person?.first_name, person?.last_name].filter(Boolean).join(' ');
  return name || person?.email || say('customer.nameless');
}

/** An amount in its own unit. */
export function sayUnits(
  { number, isOne }: Pick<Language, 'number' | 'isOne'>,
  amount: number,
  type: WalletType | undefined,
): string {
  const unit =
    (isOne(amount) ? type?.unit_singular_name : type?.unit_plural_name) ?? type?.name ?? '';
  return `${number(amount)} ${unit}`.trim();
}
