import { isSandbox } from '@laurel/lifecycle';
import type { PieceJob } from '@laurel/work';
import type { WalletDeps } from '../../deps';
import { PushFailure } from '../../outside/apple/push';
import { CircuitOpen } from '../../outside/circuits';
import { GoogleRefusal } from '../../outside/google/api';
import { sharingSources } from '../../outside/shared-sources';
import type { PassUpdate } from '../../store/pass-updates';
import { settleBarcode } from '../pass/settle-barcode';
import { findPass, type PassOnTemplate } from './find-signed-pass';
import { pushApple } from './push-apple';
import { pushGoogle } from './push-google';

/** Pushes that one process has under way at once, and those of one workspace among them. */
const CONCURRENCY = 16;
const SHARE = 4;
/** Whoever dies at a push lets another try after this. */
const LEASE_MS = 30_000;
const RETRY_MS_MIN = 5_000;
const RETRY_MS_MAX = 10 * 60_000;
/** What could not be delivered for so long is no news any more; the next change is another try. */
const GIVE_UP_MS = 24 * 60 * 60_000;

/**
 * Works off the wallet updates that are owed (part 3, section 10). Any number of replicas may do it: each update is
 * claimed, and done again when whoever claimed it dies. Workspaces take turns: one whose credentials do not work, or
 * that has a hundred thousand passes to redraw, holds up its own pushes only.
 */
export const pushWorker = (walletDeps: WalletDeps): PieceJob<PassUpdate> => {
  const deps = sharingSources(walletDeps);
  return {
    name: 'push-wallet-updates',
    due: deps.passUpdates.due,
    concurrency: CONCURRENCY,
    share: SHARE,
    leaseMs: LEASE_MS,
    clock: deps.clock,
    work: (update) => pushUpdate(deps, update),
  };
};

/** Noted together with the end of the claim. */
const SENT = { status: 'sent', attempts: 0, error: null } as const;

async function pushUpdate(deps: WalletDeps, update: PassUpdate): Promise<void> {
  try {
    // The phones of a sandbox are not told (docs/adr/0029).
    const found = isSandbox(update.workspaceId) ? null : await findPass(deps, update.passId);
    if (found) await push(deps, found, { isRepeat: update.isRepeat });
    await deps.passUpdates.settle(update, deps.clock.now(), SENT);
  } catch (error) {
    const failure = { error: reasonOf(error), now: deps.clock.now() };
    await deps.pushes.noteFailure(update.workspaceId, update.passId, failure);
    await retryLater(deps, update, error);
  }
}

/** One wallet that fails does not keep the other from being told; both are tried again, and only what is new is sent. */
async function push(
  deps: WalletDeps,
  { pass, template }: PassOnTemplate,
  update: { isRepeat: boolean },
): Promise<void> {
  const found = { template, pass: await settleBarcode(deps, pass, template) };
  const outcomes = await Promise.allSettled([
    pushApple(deps, found, update),
    pushGoogle(deps, found, update),
  ]);
  const failures = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (failures.length > 0)
    throw failures.find((each) => !(each instanceof CircuitOpen)) ?? failures[0];
}

/** What a wallet service said; nothing else is for people outside. */
function reasonOf(error: unknown): string {
  const isTheirs = error instanceof PushFailure || error instanceof GoogleRefusal;
  return isTheirs ? error.message : 'the push failed inside the platform';
}

/** Waits as long again as it has been failing, so that a wallet service that is away is asked ever less often. */
async function retryLater(deps: WalletDeps, update: PassUpdate, error: unknown): Promise<void> {
  const now = deps.clock.now();
  const failingMs = now.getTime() - update.changedAt.getTime();
  const about = { err: error, pass_id: update.passId, workspace_id: update.workspaceId };
  if (failingMs > GIVE_UP_MS) {
    deps.logger.error(about, 'a wallet update is given up');
    return deps.passUpdates.settle(update, now);
  }
  const delayMs = Math.min(Math.max(failingMs, RETRY_MS_MIN), RETRY_MS_MAX);
  // A thousand passes behind one certificate that does not work are told of once, by the push that found out.
  if (error instanceof CircuitOpen) deps.logger.debug(about, error.message);
  else deps.logger.warn(about, 'a wallet update failed and will be tried again');
  await deps.passUpdates.postpone(update, new Date(now.getTime() + delayMs));
}
