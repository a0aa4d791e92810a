import type { WalletDeps } from '../../deps';
import type { GoogleCredentials } from '../../outside/credentials/types';
import { GoogleRefusal } from '../../outside/google/api';
import type { Wallet } from '../../store/credentials';
import { credentialsName } from './push-failures';

type WaitingDeps = Pick<
  WalletDeps,
  'credentials' | 'googleApi' | 'passUpdates' | 'clock' | 'logger'
>;

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
      return namesOfTaken(deps, accounts);
    }),
  ]);
  return [...apple, ...google];
}

/** Of those of one issuer the first changes its cards. One that Google has ended is there still, and takes nothing. */
async function namesOfTaken(
  { googleApi }: WaitingDeps,
  accounts: readonly GoogleCredentials[],
): Promise<string[]> {
  const ofIssuers = new Map(accounts.toReversed().map((account) => [account.issuerId, account]));
  const taken: string[] = [];
  for (const account of ofIssuers.values())
    if (await isTaken(googleApi, account)) taken.push(...names('google', account.issuerId));
  return taken;
}

/** Where Google does not answer, the pushes themselves find out when it does again. */
async function isTaken(
  googleApi: WaitingDeps['googleApi'],
  account: GoogleCredentials,
): Promise<boolean> {
  try {
    await googleApi.signIn(account);
    return true;
  } catch (error) {
    return !(error instanceof GoogleRefusal && error.isFinal);
  }
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
