import type { WalletDeps } from '../../deps';
import type { Wallet } from '../../store/credentials';
import { credentialsName } from './push-failures';

const PASSES_PER_STEP = 1_000;

type WaitingDeps = Pick<WalletDeps, 'credentials' | 'passUpdates' | 'clock'>;

/**
 * Asks again for the pushes that were given up for want of credentials, of the workspaces that have those now: some passes
 * of each workspace a step. A replica whose own are those that have ended, while others are rolled out, may give them up
 * once more; they are asked for again until one sends them that can.
 */
export async function pushWaiting(deps: WaitingDeps): Promise<{ more: boolean }> {
  const { passUpdates } = deps;
  let more = false;
  let workspaceId = await passUpdates.nextWaiting('');
  while (workspaceId !== null) {
    more = (await askAgain(deps, workspaceId)) || more;
    workspaceId = await passUpdates.nextWaiting(workspaceId);
  }
  return { more };
}

/** Whether there are more of the workspace. */
async function askAgain(deps: WaitingDeps, workspaceId: string): Promise<boolean> {
  const credentials = await goodCredentials(deps, workspaceId);
  if (credentials.length === 0) return false;
  const page = { credentials, max: PASSES_PER_STEP, now: deps.clock.now() };
  return (await deps.passUpdates.askWaiting(workspaceId, page)) === PASSES_PER_STEP;
}

/** The names of the credentials that phones and wallets take, as they may be waited for. */
async function goodCredentials(
  { credentials }: Pick<WaitingDeps, 'credentials'>,
  workspaceId: string,
): Promise<string[]> {
  const [apple, google] = await Promise.all([
    credentials.apple(workspaceId),
    credentials.google(workspaceId),
  ]);
  return [
    ...(apple.trusted ? names('apple', apple.passTypeIdentifier!) : []),
    ...(google.trusted ? names('google', google.issuerId) : []),
  ];
}

/** An earlier version noted the wallet alone. */
const names = (wallet: Wallet, issuedUnder: string): string[] => [
  credentialsName(wallet, issuedUnder),
  wallet,
];
