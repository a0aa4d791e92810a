import type { WalletDeps } from '../../deps';
import type { Wallet } from '../../store/credentials';

const TEMPLATES_PER_STEP = 100;
const WALLETS: readonly Wallet[] = ['apple', 'google'];
/** Stands in place of a workspace for what was told of the deployment's own. */
const DEPLOYMENT = 'deployment';

/** How far phones were told of the credentials that are in use. */
interface Told {
  /** Which credentials. */
  mark: string;
  /** The last template whose passes were to be told; null once all were. */
  after: string | null;
}

type FollowDeps = Pick<
  WalletDeps,
  'credentials' | 'credentialsStore' | 'templateRefreshes' | 'templates' | 'clock'
>;

/**
 * Asks for wallet updates of the passes of all templates, some templates a step, once the deployment has other credentials
 * that are good: with the ones before, which may have ended, phones could not be told what changed.
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
