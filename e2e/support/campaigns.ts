import { randomUUID } from 'node:crypto';
import type { CampaignAction, CampaignsCreateBody, RewardsCreateBody } from '@laurel/client';
import { until } from '@laurel/testing';
import type { Caller } from './api';
import { expectStatus } from './factories';

/** Everything is busy at times; a campaign is done long before that. */
const DONE_WITHIN = { withinMs: 60_000, what: 'the campaign done' };

export const campaignIn = ({ laurel }: Caller, overrides: Partial<CampaignsCreateBody> = {}) =>
  laurel.campaigns.create({ name: 'Spring', ...overrides });

export const actionIn = (
  { laurel }: Caller,
  campaignId: string,
  action_type: CampaignAction['action_type'],
  action_config: Record<string, unknown>,
) => laurel.campaigns.createAction(campaignId, { action_type, action_config });

export const PUSH = ['push_notification', { notification_message: 'Hello' }] as const;
export const UPDATE = ['custom_field_update', { custom_field_updates: { vip: true } }] as const;

/** A draft with an audience and one action, ready to be launched. */
export const readyIn = async (owner: Caller, manual_client_ids: string[], action = UPDATE) => {
  const { id } = await campaignIn(owner, { manual_client_ids });
  const { id: actionId } = await actionIn(owner, id, ...action);
  return { id, actionId };
};

export const dataOf = async (owner: Caller, path: string) =>
  expectStatus(await owner.get(path), 200).body.data;

export const statisticsOf = ({ laurel }: Caller, id: string) => laurel.campaigns.getStatistics(id);

/** The statistics of a campaign once it has the status. */
export const settled = (owner: Caller, id: string, status = 'completed') =>
  until(async () => {
    const statistics = await statisticsOf(owner, id);
    return statistics.status === status ? statistics : null;
  }, DONE_WITHIN);

export const rewardIn = async (
  { laurel }: Caller,
  overrides: Partial<RewardsCreateBody> = {},
): Promise<string> =>
  (await laurel.rewards.create({ name: 'Coffee', cost_in_points: 0, ...overrides })).id;

/** A project with a pass template in it. */
export const templateIn = async ({
  laurel,
}: Caller): Promise<{ project_id: string; pass_template_id: string }> => {
  const { id: project_id } = await laurel.projects.create({ name: 'Card' });
  const template = { name: randomUUID(), project_id, pass_type: 'LOYALTY' } as const;
  const { id: pass_template_id } = await laurel.passTemplates.create(template);
  return { project_id, pass_template_id };
};

export const passIn = async (
  { laurel }: Caller,
  template: { project_id: string; pass_template_id: string },
  client_id: string,
): Promise<string> => (await laurel.passes.create({ ...template, client_id })).id;
