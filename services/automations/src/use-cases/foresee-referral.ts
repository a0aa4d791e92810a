import type { TriggerType } from '@laurel/contract';
import { newId } from '@laurel/lifecycle';
import type { referrals as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type Trigger, trigger } from '../domain/trigger';

/** The events of a referral that is completed: of the client who was brought, and of the one who brought them. */
export interface ForeseenReferral {
  referee: Trigger;
  /** Null where the platform has that client no more. */
  referrer: Trigger | null;
}

/** The referral that an event would complete, as the referrals service decides it; null where it completes none. */
export async function foreseeReferral(
  { referrals }: Pick<Deps, 'referrals'>,
  { workspaceId, happened, now }: { workspaceId: string; happened: Trigger; now: Date },
): Promise<ForeseenReferral | null> {
  const { type, eventType, amount, clientId, at } = happened;
  const isPurchase = type === 'transaction' && eventType === 'purchase' && (amount ?? 0) > 0;
  const isInstallation = type === 'pass_lifecycle' && eventType === 'pass_installed';
  if (!isPurchase && !isInstallation) return null;
  const { completed } = await referrals.QuoteCompletion({
    workspace_id: workspaceId,
    client_id: clientId,
    criteria: isPurchase ? 'first_transaction' : 'pass_install',
    at: (isPurchase ? at : now).toISOString(),
    heard_at: now.toISOString(),
  });
  if (!completed) return null;
  const referrer = completed.referrer_client_id ?? null;
  return {
    referee: completion(completed, { happened, now, role: 'referee', clientId }),
    referrer:
      referrer === null
        ? null
        : completion(completed, { happened, now, role: 'referrer', clientId: referrer }),
  };
}

function completion(
  { referral_id, referral_code, completion_criteria }: api.QuotedCompletion,
  {
    happened,
    now,
    role,
    clientId,
  }: { happened: Trigger; now: Date; role: 'referrer' | 'referee'; clientId: string },
): Trigger {
  const type: TriggerType = 'referral';
  return trigger({
    type,
    eventId: newId(),
    eventType: 'referral_completed',
    eventCategory: type,
    clientId,
    at: now,
    role,
    source: 'referrals',
    isSynthetic: true,
    follows: happened,
    metadata: {
      referral_id,
      referral_code,
      completion_criteria,
      referrer_completed_count: null,
    },
  });
}
