import { type CloudEvent, createEvent, type ReferralChanged } from '@laurel/events';
import type { Referral } from '../domain/referral';

export function createdEvent(referral: Referral): CloudEvent {
  return createEvent('referrals.referral_created', envelopeOf(referral));
}

/** The event of a referral that expired or was cancelled. */
export function closedEvent(referral: Referral): CloudEvent {
  return referral.status === 'expired'
    ? createEvent('referrals.referral_expired', envelopeOf(referral))
    : createEvent('referrals.referral_cancelled', envelopeOf(referral));
}

/** One event per role whose client still exists; `completedCount` is the referrer's, this one included. */
export function completedEvents(referral: Referral, completedCount: number): CloudEvent[] {
  const { workspace_id: workspaceId, qualifying_event_type, qualifying_event_id } = referral;
  const about = (clientId: string) => ({
    ...changeOf(referral),
    client_id: clientId,
    qualifying_event_type,
    qualifying_event_id,
  });
  const events: CloudEvent[] = [];
  const { referrer_client_id: referrer, referee_client_id: referee } = referral;
  if (referrer !== null) {
    const role = { role: 'referrer' as const, referrer_completed_count: completedCount };
    const data = { ...about(referrer), ...role };
    events.push(
      createEvent('referrals.referral_completed', { workspaceId, subject: referrer, data }),
    );
  }
  if (referee !== null) {
    const data = { ...about(referee), role: 'referee' as const };
    events.push(
      createEvent('referrals.referral_completed', { workspaceId, subject: referee, data }),
    );
  }
  return events;
}

function envelopeOf(referral: Referral) {
  return {
    workspaceId: referral.workspace_id,
    subject: referral.referee_client_id ?? referral.referrer_client_id ?? referral.id,
    data: changeOf(referral),
  };
}

function changeOf(referral: Referral): ReferralChanged {
  return {
    referral_id: referral.id,
    referrer_client_id: referral.referrer_client_id,
    referee_client_id: referral.referee_client_id,
    referral_code: referral.referral_code,
    completion_criteria: referral.completion_criteria,
  };
}
