import { stableId } from '@laurel/lifecycle';
import Joi from 'joi';
import { defineEvent } from './define';
import { count, id, name, nullableId, nullableText, sample } from './fields';

export type ReferralRole = 'referrer' | 'referee';

export interface ReferralChanged {
  referral_id: string;
  /** null when that client was deleted. */
  referrer_client_id: string | null;
  referee_client_id: string | null;
  referral_code: string;
  completion_criteria: 'pass_install' | 'first_transaction';
}
export interface ReferralCompleted extends ReferralChanged {
  role: ReferralRole;
  /** The client on the side that `role` names. */
  client_id: string;
  qualifying_event_type: string | null;
  qualifying_event_id: string | null;
  /** On the referrer's event only. */
  referrer_completed_count?: number;
}

/** Whom an event is about: a completed referral the one of its role, anything else both; never who was deleted. */
export function sidesOf(
  data: ReferralChanged & Partial<ReferralCompleted>,
): { role: ReferralRole; clientId: string }[] {
  const sides = [
    { role: 'referrer', clientId: data.referrer_client_id },
    { role: 'referee', clientId: data.referee_client_id },
  ] as const;
  return sides.flatMap(({ role, clientId }) =>
    clientId === null || (data.role !== undefined && data.role !== role)
      ? []
      : [{ role, clientId }],
  );
}

/** The id of one side of a referral event in the trail, which tells of it once for each. */
export const sideIdOf = (eventId: string, role: ReferralRole): string =>
  stableId(`${eventId} ${role}`);

const referral = {
  referral_id: id(),
  referrer_client_id: nullableId(),
  referee_client_id: nullableId(),
  referral_code: name(),
  completion_criteria: Joi.string().valid('pass_install', 'first_transaction').required(),
};
const schema = Joi.object<ReferralChanged>(referral);
const example: ReferralChanged = {
  referral_id: sample.referralId,
  referrer_client_id: sample.clientId,
  referee_client_id: sample.otherClientId,
  referral_code: 'K7QM2XPA',
  completion_criteria: 'first_transaction',
};
const owned = { version: 1, source: 'referrals' } as const;

/** The life of a referral. */
export const referralEvents = [
  defineEvent({
    ...owned,
    type: 'referrals.referral_created',
    webhook: 'referral_created',
    description: 'A new client was attributed to a referrer.',
    schema,
    example,
  }),
  defineEvent({
    ...owned,
    type: 'referrals.referral_completed',
    webhook: 'referral_completed',
    description: 'A referral was completed; one event per role whose client still exists.',
    schema: Joi.object<ReferralCompleted>({
      ...referral,
      role: Joi.string().valid('referrer', 'referee').required(),
      client_id: id(),
      qualifying_event_type: nullableText(),
      qualifying_event_id: nullableText(),
      referrer_completed_count: Joi.when('role', {
        is: 'referrer',
        // biome-ignore lint/suspicious/noThenProperty: the keyword of Joi's conditions.
        then: count(),
        otherwise: Joi.forbidden(),
      }),
    }),
    example: {
      ...example,
      role: 'referrer',
      client_id: sample.clientId,
      qualifying_event_type: 'purchase',
      qualifying_event_id: sample.eventId,
      referrer_completed_count: 3,
    },
  }),
  defineEvent({
    ...owned,
    type: 'referrals.referral_expired',
    webhook: 'referral_expired',
    description:
      'A pending referral ran out of time; what was recorded before that and is heard of later still completes it.',
    schema,
    example,
  }),
  defineEvent({
    ...owned,
    type: 'referrals.referral_cancelled',
    webhook: 'referral_cancelled',
    description: 'A pending referral was cancelled.',
    schema,
    example,
  }),
] as const;
