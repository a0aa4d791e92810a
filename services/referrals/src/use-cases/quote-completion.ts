import type { referrals as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { CompletionCriteria } from '../domain/program';
import { qualifies } from '../domain/referral';

/** The referral that a deed of a client would complete, decided as `qualify-referral.ts` decides it. */
export async function quoteCompletion(
  { people, referrals, programs }: Pick<Deps, 'people' | 'referrals' | 'programs'>,
  request: api.QuoteCompletionRequest,
): Promise<api.CompletionQuote> {
  const { workspace_id: workspaceId, client_id: clientId, criteria, at, heard_at } = request;
  const moment = new Date(heard_at);
  const openTo = (refereeId: string) => referrals.openAt(workspaceId, { refereeId, moment });
  const [referral, program] = await Promise.all([
    people.currentOf(workspaceId, clientId).then(openTo),
    programs.find(workspaceId),
  ]);
  const deed = {
    criteria: criteria as CompletionCriteria,
    eventType: criteria,
    eventId: '',
    happenedAt: new Date(at),
    recordedAt: moment,
  };
  if (!referral || !program || !qualifies(referral, program, deed)) return {};
  const { referrer_client_id: referrer } = referral;
  const cap = program.max_referrals_per_referrer;
  const person = referrer === null ? null : await people.find(workspaceId, referrer);
  if (person && cap !== null && person.completed >= cap) return {};
  return {
    completed: {
      referral_id: referral.id,
      referral_code: referral.referral_code,
      completion_criteria: referral.completion_criteria,
      referrer_client_id: referrer,
    },
  };
}
