import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import type { Caller } from './api';
import { expectStatus } from './factories';

/** Everything is busy at times; a campaign is done long before that. */
const DONE_WITHIN = { withinMs: 60_000, what: 'the campaign done' };

export const campaignIn = async (owner: Caller, overrides: object = {}) =>
  expectStatus(await owner.post(':ws/campaigns', { name: 'Spring', ...overrides }), 201).body.data;

export const actionIn = async (
  owner: Caller,
  campaignId: string,
  action_type: string,
  action_config: object,
) => {
  const body = { action_type, action_config };
  return expectStatus(await owner.post(`/campaigns/${campaignId}/actions`, body), 200).body.data;
};

export const PUSH = ['push_notification', { notification_message: 'Hello' }] as const;
export const UPDATE = ['custom_field_update', { custom_field_updates: { vip: true } }] as const;

/** A draft with an audience and one action, ready to be launched. */
export const readyIn = async (owner: Caller, clientIds: readonly string[], action = UPDATE) => {
  const { id } = await campaignIn(owner, { manual_client_ids: clientIds });
  const { id: actionId } = await actionIn(owner, id, ...action);
  return { id, actionId } as { id: string; actionId: string };
};

export const dataOf = async (owner: Caller, path: string) =>
  expectStatus(await owner.get(path), 200).body.data;

export const statisticsOf = (owner: Caller, id: string) =>
  dataOf(owner, `/campaigns/${id}/statistics`);

/** The statistics of a campaign once it has the status. */
export const settled = (owner: Caller, id: string, status = 'completed') =>
  until(async () => {
    const statistics = await statisticsOf(owner, id);
    return statistics.status === status ? statistics : null;
  }, DONE_WITHIN);

export const rewardIn = async (owner: Caller, overrides: object = {}): Promise<string> => {
  const body = { name: 'Coffee', cost_in_points: 0, ...overrides };
  return expectStatus(await owner.post(':ws/rewards', body), 200).body.data.id;
};

/** A project with a pass template in it. */
export const templateIn = async (
  owner: Caller,
): Promise<{ project_id: string; pass_template_id: string }> => {
  const project = await owner.post(':ws/projects', { name: 'Card' });
  const project_id = expectStatus(project, 201).body.data.id;
  const body = { name: randomUUID(), project_id, pass_type: 'LOYALTY' };
  const template = await owner.post(':ws/pass-templates', body);
  return { project_id, pass_template_id: expectStatus(template, 201).body.data.id };
};

export const passIn = async (
  owner: Caller,
  template: { project_id: string; pass_template_id: string },
  client_id: string,
): Promise<string> =>
  expectStatus(await owner.post(':ws/passes', { ...template, client_id }), 201).body.data.id;
