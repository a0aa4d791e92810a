import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { BY_STRANGERS, TO_ONE_ADDRESS } from '../domain/mail-limits';
import type { SourceOfRequest } from '../store/known-sources';

/**
 * Counts a mail that anybody may ask for, in the transaction that sends it; false where none may leave. A source has a
 * count of its own, and those that the address was never signed in from have one together: strangers never use up what
 * the owner's own source may ask for (docs/security.md, "Mails that others cause").
 *
 * @param counted what is sent to whom
 */
export async function countMailBySource(
  { mailCounts, knownSources, clock }: Deps,
  { counted, from }: { counted: string; from: SourceOfRequest },
  session: Session,
): Promise<boolean> {
  const now = clock.now();
  const own = `${counted} from:${from.source}`;
  if (await mailCounts.take(own, TO_ONE_ADDRESS, { now, session })) return false;
  if (await knownSources.has(from, now, session)) return true;
  const ofStrangers = `${from.door} mails by strangers:${from.emailKey}`;
  return (await mailCounts.take(ofStrangers, BY_STRANGERS, { now, session })) === null;
}
