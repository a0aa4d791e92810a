import type { Laurel } from '@laurel/client';
import { madeAnew } from './anew';
import type { Body } from './body';

/**
 * Campaigns that a file may speak of: drafts, and what files have made. What ran without a key is history and in no
 * file. What a campaign does stands in it as `actions`, in order, without what the platform keeps beside them.
 */
export async function listCampaigns(laurel: Laurel): Promise<Body[]> {
  const all = (await laurel.campaigns.list({}).all()) as unknown as Body[];
  const ours = all.filter(({ status, key }) => status === 'draft' || key !== undefined);
  return Promise.all(
    ours.map(async (row) => ({ ...row, actions: await actionsOf(laurel, String(row.id)) })),
  );
}

/** A draft, and then what it does; where that ends half-way, the next plan names what lacks. */
export async function createCampaign(
  laurel: Laurel,
  { actions = [], ...body }: Body,
  options: { idempotencyKey: string },
): Promise<unknown> {
  const made = await madeAnew(
    (under) => laurel.campaigns.create(body as never, under),
    options,
    async ({ id }) => (await laurel.campaigns.list({}).all()).some((one) => one.id === id),
  );
  await addActions(laurel, made.id, actions as Body[]);
  return made;
}

/** Actions have no names of their own, so those of a draft are replaced as a whole. */
export async function updateCampaign(
  laurel: Laurel,
  { id, body, options }: { id: string; body: never; options: object },
): Promise<unknown> {
  const { actions, ...fields } = body as Body;
  const changed =
    Object.keys(fields).length === 0
      ? null
      : await laurel.campaigns.update(id, fields as never, options);
  if (actions === undefined) return changed;
  for (const action of await laurel.campaigns.listActions(id))
    await laurel.campaigns.deleteAction(action.id);
  await addActions(laurel, id, actions as Body[]);
  return changed;
}

async function addActions(laurel: Laurel, id: string, actions: readonly Body[]): Promise<void> {
  for (const action of actions) await laurel.campaigns.createAction(id, action as never);
}

export async function actionsOf(laurel: Laurel, id: string): Promise<Body[]> {
  const actions = await laurel.campaigns.listActions(id);
  return actions.map(({ action_type, action_config }) => ({ action_type, action_config }));
}
