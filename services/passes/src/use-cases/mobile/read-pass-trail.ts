import { platform } from '@laurel/errors';
import type { passes as api, clients, ledger, rewards } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import { withoutHiddenMetadata, withoutHiddenValues } from '../../domain/mobile/hiding';
import { reaches } from '../../domain/mobile/mobile-app';
import { listPassesOfClients } from '../pass/read-passes';
import { type PassDeps, type Reached, reachPass } from './open-app';

/**
 * What happened to the pass's client, newest first; of what happened on another pass only what is within reach of
 * the app. For a pass without a client, what happened to the pass. A workspace may switch this off (enable_pass_history).
 */
export async function listMobilePassEvents(
  deps: PassDeps,
  request: api.MobilePassPageRequest,
): Promise<clients.EventPage> {
  const reached = await reachPass(deps, request);
  if (reached.config?.app_config.enable_pass_history === false)
    throw platform.forbidden({ message: 'the history of passes is switched off' });
  const { workspace_id, event_category, limit, offset } = request;
  const page = await deps.clients.ListEvents({
    workspace_id,
    limit,
    offset,
    ...(event_category === undefined ? {} : { event_category }),
    ...(await whoseEvents(deps, reached)),
  });
  const hidden = reached.config?.hidden_fields;
  return { ...page, events: page.events.map((event) => withoutHiddenValues(hidden, event)) };
}

async function whoseEvents(
  deps: PassDeps,
  { pass: { id, workspace_id, client_id }, config }: Reached,
): Promise<{ pass_id: string } | { client_id: string; within_pass_ids?: string[] }> {
  if (!client_id) return { pass_id: id };
  if (!config?.project_ids) return { client_id };
  const { passes } = await listPassesOfClients(deps, { workspace_id, client_ids: [client_id] });
  const within = passes.filter((pass) => reaches(config, pass.project_id));
  return { client_id, within_pass_ids: within.map((pass) => pass.id) };
}

/** The ledger of the pass's client, of all wallet types unless one is named, newest first. */
export async function listMobilePassEntries(
  deps: PassDeps & Pick<MobileDeps, 'ledger'>,
  request: api.MobilePassPageRequest,
): Promise<ledger.EntryPage> {
  const { pass, config } = await reachPass(deps, request);
  const { workspace_id, wallet_type_code, limit, offset } = request;
  if (!pass.client_id) return { entries: [], total_count: 0, offset, next_cursor: null };
  const page = await deps.ledger.ListEntries({
    workspace_id,
    client_id: pass.client_id,
    limit,
    offset,
    ...(wallet_type_code === undefined ? {} : { wallet_type_code }),
  });
  const hidden = config?.hidden_fields;
  return { ...page, entries: page.entries.map((entry) => withoutHiddenMetadata(hidden, entry)) };
}

/** What the pass's client may redeem, and what keeps them from the rest. */
export async function listMobilePassRewards(
  deps: PassDeps & Pick<MobileDeps, 'rewards'>,
  request: api.MobilePassPageRequest,
): Promise<rewards.ClientRewardList> {
  const { pass } = await reachPass(deps, request);
  const { workspace_id, limit, offset } = request;
  if (!pass.client_id) return { rewards: [] };
  const { rewards: all } = await deps.rewards.ListClientRewards({
    workspace_id,
    client_id: pass.client_id,
    purchasable_only: true,
  });
  return { rewards: all.slice(offset, offset + limit) };
}

/** What the pass's client redeemed, newest first. */
export async function listMobilePassRedemptions(
  deps: PassDeps & Pick<MobileDeps, 'rewards'>,
  request: api.MobilePassPageRequest,
): Promise<rewards.RedemptionPage> {
  const { pass, config } = await reachPass(deps, request);
  const { workspace_id, limit, offset } = request;
  if (!pass.client_id) return { redemptions: [], total_count: 0 };
  const asked = { workspace_id, client_id: pass.client_id, limit, offset };
  const page = await deps.rewards.ListRedemptions(asked);
  const hidden = config?.hidden_fields;
  return {
    ...page,
    redemptions: page.redemptions.map((one) => withoutHiddenMetadata(hidden, one)),
  };
}
