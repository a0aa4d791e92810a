import { isLaurelError, LaurelError, type Problem } from '@laurel/client';
import type { Say, WordKey } from './language';

const BY_REASON: Readonly<Record<string, WordKey>> = {
  insufficient_balance: 'refused.insufficientBalance',
  max_balance: 'wrong.maxBalance',
  wallet_type_inactive: 'wrong.currencyOff',
  wallet_closed: 'wrong.walletClosed',
  client_anonymized: 'wrong.clientErased',
  secret_of_other_origin: 'wrong.keyOfOther',
  email_taken: 'wrong.emailTaken',
  code_taken: 'wrong.codeTaken',
  field_name_taken: 'wrong.nameTaken',
  slug_taken: 'wrong.nameTaken',
  key_taken: 'wrong.keyTaken',
  already_member: 'wrong.memberAlready',
  not_a_member: 'refused.notMember',
  only_the_creator: 'wrong.creatorOnly',
  last_admin: 'wrong.lastAdmin',
  default_stays: 'wrong.currencyStays',
  wallet_type_in_use: 'wrong.currencyInUse',
  reward_redeemed: 'wrong.rewardInUse',
  template_in_use: 'wrong.cardInUse',
  project_has_passes: 'wrong.projectInUse',
  tier_not_found: 'wrong.tierGone',
  not_in_future: 'wrong.futureOnly',
  not_draft: 'wrong.draftOnly',
  inactive: 'wrong.rewardOff',
  not_started: 'wrong.rewardEarly',
  ended: 'wrong.rewardEnded',
  not_purchasable: 'wrong.rewardNotSold',
  tier_locked: 'wrong.rewardTier',
  segment_locked: 'wrong.rewardSegment',
  usage_limit_reached: 'wrong.rewardUsedUp',
  client_limit_reached: 'wrong.rewardHad',
  out_of_coupons: 'wrong.noCodes',
  client_not_active: 'wrong.clientOff',
  cancelled: 'wrong.cancelledBefore',
  already_cancelled: 'wrong.cancelledBefore',
  nothing_left: 'wrong.nothingLeft',
  insufficient_points: 'refused.insufficientBalance',
};

/** Why something was refused, where there is more to say than that it was. */
export function reasonInWords(say: Say, reason: string | undefined): string | undefined {
  const known = BY_REASON[reason ?? ''];
  return known && say(known);
}

/** How the platform says what is wrong with the form of a member, and which word of ours says so; a group is its limit. */
const BY_FORM: readonly (readonly [RegExp, WordKey])[] = [
  [/ is required$| is not allowed to be empty$/, 'required'],
  [/ must not be blank$/, 'wrong.blank'],
  [/length must be less than or equal to (\S+) characters/, 'wrong.tooLong'],
  [/length must be at least (\S+) characters/, 'wrong.tooShort'],
  [/ must contain less than or equal to (\S+) items/, 'wrong.fewer'],
  [/ must contain at least (\d+) items/, 'wrong.more'],
  [/ must be greater than or equal to (-?[\d.]+)$/, 'wrong.atLeast'],
  [/ must be greater than (-?[\d.]+)$/, 'wrong.above'],
  [/ must be less than or equal to (-?[\d.]+)$/, 'wrong.atMost'],
  [/ must be less than (-?[\d.]+)$/, 'wrong.below'],
  [/ must have (?:at most|no more than) (\d+) decimal places$/, 'wrong.decimals'],
  [/ must be an integer$| must be a whole number/, 'wrong.whole'],
  [/ must be a number$/, 'noNumber'],
  [/ must be an e-mail address$/, 'wrong.mail'],
  [/ must be a date like /, 'wrong.date'],
  [/ must be a valid uri| must be an origin| must be an? .*(?:address|URL)$/, 'wrong.address'],
  [/ must be after | must not be before /, 'wrong.order'],
  [/ must not be below /, 'wrong.fromTo'],
  [/ISO 4217/, 'wrong.code'],
  [/\{RAND:N\}/, 'wrong.pattern'],
  // No id is no address of anything, as of a link that was cut short.
  [/ must be a UUID$/, 'refused.notFound'],
  [/ must be one of | fails to match | must be a valid /, 'wrong.form'],
  [/not a certificate in PEM/, 'wrong.noCertificate'],
  [/not a private key in PEM/, 'wrong.noKey'],
  [/not an RSA key/, 'wrong.noRsaKey'],
  [/does not belong to the certificate/, 'wrong.keyOfOtherCertificate'],
  [/not within its dates|certificate: expired$/, 'wrong.certificateDates'],
  [/did not issue the certificate/, 'wrong.issuer'],
  [/for no pass type|of no team/, 'wrong.noPassType'],
  [/for the pass type (\S+), not |^certificate is for (\S+)$/, 'wrong.passType'],
  [/of the team (.+), not /, 'wrong.team'],
  [/ looks like pass\./, 'wrong.passTypeForm'],
  [/ has 10 capital letters and digits/, 'wrong.teamForm'],
  [/ has digits only/, 'wrong.digits'],
  [/key file of a service account/, 'wrong.serviceAccount'],
  [/Idempotency-Key was used with another body/, 'wrong.keyReused'],
];

/** What is wrong with a formula, as its parser says it. */
const BY_FORMULA: readonly (readonly [RegExp, WordKey])[] = [
  [/(?:Unknown variable|No such key): (\S+)/, 'formula.wrong.unknown'],
  [/matching overload for '([^(']+)/, 'formula.wrong.unknown'],
  [/got EOF|token: EOF/, 'formula.wrong.end'],
  [/Unterminated|Newlines not allowed/, 'formula.wrong.open'],
  [/Unexpected \w+: (\S+)|, got (\S+)$|Invalid \w+: (\S+)/, 'formula.wrong.unexpected'],
  [/no such overload|Cannot index type|must be bool/, 'formula.wrong.types'],
  [/division by zero/, 'formula.wrong.zero'],
  [/Exceeded |within another loop|takes? too long/, 'formula.wrong.dear'],
  [/the \w+ is empty/, 'formula.wrong.empty'],
];

/** What the platform says of a formula, in words; as it is where there are none. */
export function formulaInWords(say: Say, message: string): string {
  return sayForm(say, BY_FORMULA, message) ?? message;
}

/** What is wrong with something, as the platform says it of forms and formulas; undefined where it says something else. */
export const formInWords = (say: Say, message: string): string | undefined =>
  sayForm(say, [...BY_FORM, ...BY_FORMULA], message);

/**
 * What is wrong with a line of a file, with the name of its column, as it has no field that the words could stand at.
 *
 * @param nameOf how people call what the platform names first
 */
export function lineInWords(say: Say, message: string, nameOf: (field: string) => string): string {
  const said = sayForm(say, BY_FORM, message);
  const [field] = message.split(' ');
  return said && field ? `${nameOf(field)}: ${said}` : message;
}

function sayForm(
  say: Say,
  forms: readonly (readonly [RegExp, WordKey])[],
  message: string,
): string | undefined {
  for (const [form, key] of forms) {
    const found = form.exec(message);
    const [said] = found?.slice(1).filter((group) => group !== undefined) ?? [];
    if (found) return say(key, { limit: Number(said), name: said ?? '' });
  }
  return undefined;
}

/** What the platform tells programs, in words for the member; as it is where we have no word for it. */
export function inWords(say: Say, error: unknown): unknown {
  if (!isLaurelError(error)) return error;
  const { status, requestId, retryAfterSeconds } = error;
  const problems = error.problems.map((problem) => ({
    ...problem,
    message: wordsOf(say, problem) ?? problem.message,
  }));
  return new LaurelError({ status, problems, requestId, retryAfterSeconds });
}

function wordsOf(say: Say, problem: Problem): string | undefined {
  const { reason, message } = problem;
  const known = reasonInWords(say, reason);
  if (known) return known;
  const { used_by: users = [] } = problem as { used_by?: { name: string }[] };
  if (users.length > 0)
    return say('wrong.usedBy', { what: users.map(({ name }) => name).join(', ') });
  return formInWords(say, message);
}
