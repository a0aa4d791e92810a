import { CAMPAIGN_STATUSES, type CampaignStatus } from '@laurel/contract';
import Joi, { type ObjectSchema } from 'joi';
import { defineEvent } from './define';
import { count, id, name, nullableId, nullableTimestamp, sample } from './fields';

/** A campaign when something happened to it. */
export interface CampaignChanged {
  campaign_id: string;
  name: string;
  status: CampaignStatus;
  /** null: the audience is a list of clients. */
  segment_id: string | null;
  scheduled_at: string | null;
  started_at: string | null;
  completed_at: string | null;
  cancelled_at: string | null;
}
/** What came of it: members of the audience by their status, as GET /campaigns/:id/statistics counts them. */
export interface CampaignCompleted extends CampaignChanged {
  total_targeted: number;
  audience_completed: number;
  audience_failed: number;
  audience_unreachable: number;
  rewards_issued: number;
}
export interface CampaignDeleted {
  campaign_id: string;
}

const changed = {
  campaign_id: id(),
  name: name(),
  status: Joi.string()
    .valid(...CAMPAIGN_STATUSES)
    .required(),
  segment_id: nullableId(),
  scheduled_at: nullableTimestamp(),
  started_at: nullableTimestamp(),
  completed_at: nullableTimestamp(),
  cancelled_at: nullableTimestamp(),
};
const schema: ObjectSchema<CampaignChanged> = Joi.object<CampaignChanged>(changed);
const example: CampaignChanged = {
  campaign_id: sample.ruleId,
  name: 'Spring greetings',
  status: 'active',
  segment_id: sample.walletTypeId,
  scheduled_at: null,
  started_at: sample.at,
  completed_at: null,
  cancelled_at: null,
};
const owned = { version: 1, source: 'campaigns' } as const;

/** The life of a campaign; what its actions did to each client the services tell that did it. */
export const campaignEvents = [
  defineEvent({
    ...owned,
    type: 'campaigns.launched',
    webhook: 'campaign.launched',
    description: 'The execution of a campaign began.',
    schema,
    example,
  }),
  defineEvent({
    ...owned,
    type: 'campaigns.completed',
    webhook: 'campaign.completed',
    description: 'Every action of a campaign is done.',
    schema: Joi.object<CampaignCompleted>({
      ...changed,
      total_targeted: count(),
      audience_completed: count(),
      audience_failed: count(),
      audience_unreachable: count(),
      rewards_issued: count(),
    }),
    example: {
      ...example,
      status: 'completed',
      completed_at: sample.at,
      total_targeted: 120,
      audience_completed: 112,
      audience_failed: 1,
      audience_unreachable: 7,
      rewards_issued: 0,
    },
  }),
  defineEvent({
    ...owned,
    type: 'campaigns.cancelled',
    webhook: 'campaign.cancelled',
    description: 'A campaign was cancelled; what had run stays, the rest is skipped.',
    schema,
    example: { ...example, status: 'cancelled', cancelled_at: sample.at },
  }),
  defineEvent({
    ...owned,
    type: 'campaigns.deleted',
    webhook: null,
    description: 'A campaign is gone; its audience goes with it.',
    schema: Joi.object<CampaignDeleted>({ campaign_id: id() }),
    example: { campaign_id: sample.ruleId },
  }),
] as const;
