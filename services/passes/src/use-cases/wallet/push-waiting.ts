import type { WalletDeps } from '../../deps';
import type { Wallet } from '../../store/credentials';
import { credentialsName } from './push-failures';

type WaitingDeps = Pick<WalletDeps, 'credentials' | 'passUpdates' | 'clock' | 'logger'>;

/**
 * Asks again for the pushes that were given up for want of credentials, of the workspaces that have those now. A replica
 * whose own are those that have ended, while others are rolled out, may give them up once more; they are asked for again until
 * one sends them that can.
 */
export async function pushWaiting(deps: WaitingDeps): Promise<void> {
  const { passUpdates } = deps;
  let workspaceId = await passUpdates.nextWaiting('');
  while (workspaceId !== null) {
    await askAgain(deps, workspaceId);
    workspaceId = await passUpdates.nextWaiting(workspaceId);
  }
}

/** What changes meanwhile must not stand behind all that waited: no more are asked for than make so many due. */
const DUE_MAX = 1_000;

async function askAgain(deps: WaitingDeps, workspaceId: string): Promise<void> {
  const { passUpdates, clock } = deps;
  const credentials = await goodCredentials(deps, workspaceId);
  if (credentials.length === 0) return;
  const now = clock.now();
  const max = DUE_MAX - (await passUpdates.countDue(workspaceId, now, DUE_MAX));
  if (max > 0) await passUpdates.askWaiting(workspaceId, { credentials, max, now });
}

/** The names of the credentials that phones and wallets take, as they may be waited for. */
async function goodCredentials(deps: WaitingDeps, workspaceId: string): Promise<string[]> {
  const [apple, google] = await Promise.all([
    orNone(deps, workspaceId, async () => {
      const accounts = await deps.credentials.appleAccounts(workspaceId);
      const good = accounts.filter(({ trusted }) => trusted);
      return good.flatMap(({ passTypeIdentifier }) => names('apple', passTypeIdentifier!));
    }),
    orNone(deps, workspaceId, async () => {
      const accounts = await deps.credentials.googleAccounts(workspaceId);
      return accounts.flatMap(({ issuerId }) => names('google', issuerId));
    }),
  ]);
  return [...apple, ...google];
}

/** Credentials that cannot be read keep no other wallet waiting, nor another workspace. */
async function orNone(
  { logger }: Pick<WaitingDeps, 'logger'>,
  workspaceId: string,
  find: () => Promise<string[]>,
): Promise<string[]> {
  try {
    return await find();
  } catch (error) {
    logger.error({ err: error, workspace_id: workspaceId }, 'wallet credentials cannot be read');
    return [];
  }
}

/** An earlier version noted the wallet alone. */
const names = (wallet: Wallet, issuedUnder: string): string[] => [
  credentialsName(wallet, issuedUnder),
  wallet,
];
