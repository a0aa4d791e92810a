import { whileRenewing } from '@laurel/mongo';
import type { PassUpdate } from '../../core/store/pass-updates';
import type { WalletsDeps } from '../deps';
import { findPass, type PassOnTemplate } from './find-signed-pass';
import { pushApple } from './push-apple';
import { pushGoogle } from './push-google';

/** Pushes that one process has under way at once. */
const WORKERS = 8;
/** Short enough that a stop does not wait long, long enough that a backlog goes on without a pause. */
const UPDATES_PER_RUN = 200;
/** As long as `claim` gives. */
const CLAIM_MS = 30_000;
const RETRY_MS_MIN = 5_000;
const RETRY_MS_MAX = 10 * 60_000;
/** What could not be delivered for so long is no news any more; the next change is another try. */
const GIVE_UP_MS = 24 * 60 * 60_000;

/**
 * Works off the wallet updates that are owed (part 3, section 10). Any number of replicas may do it: each update is
 * claimed, and done again when whoever claimed it dies.
 */
export async function pushUpdates(deps: WalletsDeps): Promise<{ more: boolean }> {
  let left = UPDATES_PER_RUN;
  let more = true;
  const work = async (): Promise<void> => {
    while (more && left > 0) {
      left -= 1;
      const update = await deps.passUpdates.claim(deps.clock.now());
      if (update) await pushUpdate(deps, update);
      else more = false;
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return { more };
}

async function pushUpdate(deps: WalletsDeps, update: PassUpdate): Promise<void> {
  const renew = () =>
    deps.passUpdates.postpone(update, new Date(deps.clock.now().getTime() + CLAIM_MS));
  try {
    const found = await findPass(deps, update.passId);
    if (found) await whileRenewing(CLAIM_MS, renew, () => push(deps, found));
    await deps.passUpdates.settle(update, deps.clock.now());
  } catch (error) {
    await retryLater(deps, update, error);
  }
}

async function push(deps: WalletsDeps, found: PassOnTemplate): Promise<void> {
  await Promise.all([pushApple(deps, found), pushGoogle(deps, found)]);
}

/** Waits as long again as it has been failing, so that a wallet service that is away is asked ever less often. */
async function retryLater(deps: WalletsDeps, update: PassUpdate, error: unknown): Promise<void> {
  const now = deps.clock.now();
  const failingMs = now.getTime() - update.changedAt.getTime();
  const about = { err: error, pass_id: update.passId, workspace_id: update.workspaceId };
  if (failingMs > GIVE_UP_MS) {
    deps.logger.error(about, 'a wallet update is given up');
    return deps.passUpdates.settle(update, now);
  }
  deps.logger.warn(about, 'a wallet update failed and will be tried again');
  const delayMs = Math.min(Math.max(failingMs, RETRY_MS_MIN), RETRY_MS_MAX);
  await deps.passUpdates.postpone(update, new Date(now.getTime() + delayMs));
}
