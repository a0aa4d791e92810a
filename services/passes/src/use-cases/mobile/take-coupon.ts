import type { passes as api, rewards } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import { withoutHidden, withoutHiddenMetadata } from '../../domain/mobile/hiding';
import { type AppConfig, reaches } from '../../domain/mobile/mobile-app';
import { refusals } from '../../refusals';
import { openApp } from './open-app';

type TakingDeps = Pick<MobileDeps, 'mobileApps' | 'passes' | 'rewards'>;

/** Whether a code is good, and as much of whose it is as staff may see. */
export async function validateMobileCoupon(
  deps: TakingDeps,
  request: api.MobileCouponRequest,
): Promise<rewards.CouponVerdict> {
  const config = await openApp(deps, request);
  const { workspace_id, code } = request;
  const hidden = config?.hidden_fields;
  const verdict = withOpenRedemption(
    hidden,
    await deps.rewards.ValidateCoupon({ workspace_id, code }),
  );
  const { client } = verdict;
  if (!client) return verdict;
  if (!(await reachesClient(deps, config, { workspace_id, client_id: client.id })))
    return { valid: false, reason: 'unknown' };
  const { custom_fields: _none, ...holder } = withoutHidden(hidden, {
    ...client,
    custom_fields: {},
  });
  const { id, first_name, last_name, email } = holder;
  return { ...verdict, client: { id, first_name, last_name, email } };
}

/** Marks what somebody redeemed as used at the counter, or takes that back. */
export async function useMobileRedemption(
  deps: TakingDeps,
  request: api.MobileRedemptionRequest,
): Promise<rewards.RedemptionWithCoupon> {
  const config = await openApp(deps, request);
  const { workspace_id, id, used } = request;
  if (config?.project_ids) {
    const { client_id } = await deps.rewards.GetRedemption({ workspace_id, id });
    if (!(await reachesClient(deps, config, { workspace_id, client_id })))
      throw refusals.passNotFound();
  }
  const taken = await deps.rewards.UseRedemption({ workspace_id, id, used });
  return withOpenRedemption(config?.hidden_fields, taken);
}

/** An answer about a redemption, of which staff see what they may. */
function withOpenRedemption<Answer extends { redemption?: rewards.Redemption | undefined }>(
  hidden: AppConfig['hidden_fields'] | undefined,
  answer: Answer,
): Answer {
  const { redemption } = answer;
  return redemption ? { ...answer, redemption: withoutHiddenMetadata(hidden, redemption) } : answer;
}

/** A client who holds cards of other projects only is out of reach, as their cards are; who holds none is of no project. */
async function reachesClient(
  { passes }: Pick<MobileDeps, 'passes'>,
  config: AppConfig | null,
  { workspace_id, client_id }: { workspace_id: string; client_id: string },
): Promise<boolean> {
  if (!config?.project_ids) return true;
  const held = await passes.listOfClients(workspace_id, [client_id]);
  return held.length === 0 || held.some(({ project_id }) => reaches(config, project_id));
}
