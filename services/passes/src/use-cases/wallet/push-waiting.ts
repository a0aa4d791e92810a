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
 * one sends them that can. Those of Apple come first in all workspaces: of Google's accounts Google itself is asked, which may be silent.
 */
export async function pushWaiting(deps: WaitingDeps): Promise<void> {
  await ofEach(deps, (workspaceId) => appleNames(deps, workspaceId));
  const isTaken = takenByGoogle(deps);
  await ofEach(deps, (workspaceId) => googleNames(deps, workspaceId, isTaken));
}

/** @param goodOf the names of the credentials of a workspace that a wallet takes, as they may be waited for */
async function ofEach(
  deps: WaitingDeps,
  goodOf: (workspaceId: string) => Promise<string[]>,
): Promise<void> {
  const { passUpdates } = deps;
  let workspaceId = await passUpdates.nextWaiting('');
  while (workspaceId !== null) {
    const credentials = await orNone(deps, workspaceId, () => goodOf(workspaceId!));
    if (credentials.length > 0) await askAgain(deps, workspaceId, credentials);
    workspaceId = await passUpdates.nextWaiting(workspaceId);
  }
}

/** What changes meanwhile must not stand behind all that waited: no more are asked for than make so many due. */
const DUE_MAX = 1_000;

async function askAgain(
  { passUpdates, clock }: WaitingDeps,
  workspaceId: string,
  credentials: readonly string[],
): Promise<void> {
  const now = clock.now();
  const max = DUE_MAX - (await passUpdates.countDue(workspaceId, now, DUE_MAX));
  if (max > 0) await passUpdates.askWaiting(workspaceId, { credentials, max, now });
}

async function appleNames({ credentials }: WaitingDeps, workspaceId: string): Promise<string[]> {
  const good = (await credentials.appleAccounts(workspaceId)).filter(({ trusted }) => trusted);
  return good.flatMap(({ passTypeIdentifier }) => names('apple', passTypeIdentifier!));
}

/** Of those of one issuer the first changes its cards. One that Google has ended is there still, and takes nothing. */
async function googleNames(
  { credentials, passUpdates }: WaitingDeps,
  workspaceId: string,
  isTaken: IsTaken,
): Promise<string[]> {
  const accounts = await credentials.googleAccounts(workspaceId);
  const ofIssuers = new Map(accounts.toReversed().map((account) => [account.issuerId, account]));
  const taken: string[] = [];
  for (const account of ofIssuers.values()) {
    const own = names('google', account.issuerId);
    if ((await passUpdates.isWaitedFor(workspaceId, own)) && (await isTaken(account)))
      taken.push(...own);
  }
  return taken;
}

type IsTaken = (account: GoogleCredentials) => Promise<boolean>;

/** Where Google does not answer for one, no other is asked about: the pushes themselves find out when it does again. */
function takenByGoogle({ googleApi }: WaitingDeps): IsTaken {
  let isSilent = false;
  return async (account) => {
    if (isSilent) return true;
    try {
      await googleApi.signIn(account);
      return true;
    } catch (error) {
      isSilent = isUnanswered(error);
      return !(error instanceof GoogleRefusal && error.isFinal);
    }
  };
}

/** A key that nothing can be signed with says nothing of Google. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof TypeError || (error as { name?: unknown }).name === 'TimeoutError';

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
