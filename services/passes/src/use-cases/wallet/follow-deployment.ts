import type { WalletDeps } from '../../deps';
import type { Wallet } from '../../store/credentials';

const TEMPLATES_PER_STEP = 100;
const WALLETS: readonly Wallet[] = ['apple', 'google'];
/** Stands in place of a workspace for the deployment. */
const DEPLOYMENT = 'deployment';

/** How far the walk is that asks for updates by the credentials that are in use. */
interface Told {
  /** Which credentials. */
  mark: string;
  /** The last template that it came to; null once it has ended. */
  after: string | null;
}

type FollowDeps = Pick<
  WalletDeps,
  'credentials' | 'credentialsStore' | 'templateRefreshes' | 'templates' | 'clock'
>;

/**
 * Asks for wallet updates of the passes of all templates, some templates a step, once the deployment has other credentials
 * that are good: the ones before may have ended, so that phones never heard what changed.
 */
export async function followDeployment(deps: FollowDeps): Promise<{ more: boolean }> {
  const isMore: boolean[] = [];
  for (const wallet of WALLETS) isMore.push(await step(deps, wallet));
  return { more: isMore.includes(true) };
}

async function step(deps: FollowDeps, wallet: Wallet): Promise<boolean> {
  const mark = deps.credentials.markOfDeployment(wallet);
  if (mark === null) return false;
  const told = await deps.credentialsStore.find<Told>(DEPLOYMENT, wallet);
  const after = told?.mark === mark ? told.after : '';
  if (after === null) return false;
  const some = await deps.templates.listOfAll(after, TEMPLATES_PER_STEP);
  for (const { workspaceId, id } of some) await deps.templateRefreshes.ask(workspaceId, id);
  const isMore = some.length === TEMPLATES_PER_STEP;
  const given: Told = { mark, after: isMore ? some.at(-1)!.id : null };
  await deps.credentialsStore.put(DEPLOYMENT, { wallet, given }, deps.clock.now());
  return isMore;
}
