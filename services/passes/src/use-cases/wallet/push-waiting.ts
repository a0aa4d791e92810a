import type { WalletDeps } from '../../deps';
import type { Wallet } from '../../store/credentials';

const WALLETS: readonly Wallet[] = ['apple', 'google'];
const PASSES_PER_STEP = 1_000;

type WaitingDeps = Pick<WalletDeps, 'credentials' | 'passUpdates' | 'clock'>;

/**
 * Asks again for the pushes that were given up as no credentials were good, of the workspaces that have good ones now: some
 * passes of each workspace a step. A replica whose own are those that have ended, while others are rolled out, may give
 * them up once more; they are asked for again until one sends them that can.
 */
export async function pushWaiting(deps: WaitingDeps): Promise<{ more: boolean }> {
  let more = false;
  for (const wallet of WALLETS) {
    const { passUpdates } = deps;
    let workspaceId = await passUpdates.nextWaiting(wallet, '');
    while (workspaceId !== null) {
      more = (await askAgain(deps, workspaceId, wallet)) || more;
      workspaceId = await passUpdates.nextWaiting(wallet, workspaceId);
    }
  }
  return { more };
}

/** Whether there are more of the workspace. */
async function askAgain(
  { credentials, passUpdates, clock }: WaitingDeps,
  workspaceId: string,
  wallet: Wallet,
): Promise<boolean> {
  if (!(await credentials[wallet](workspaceId)).trusted) return false;
  const page = { wallet, max: PASSES_PER_STEP, now: clock.now() };
  return (await passUpdates.askWaiting(workspaceId, page)) === PASSES_PER_STEP;
}
