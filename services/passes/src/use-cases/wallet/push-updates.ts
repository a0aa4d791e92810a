import { isOutage } from '@laurel/events';
import { isSandbox } from '@laurel/lifecycle';
import { type PageJob, PIECE_LEASE_MS } from '@laurel/work';
import type { PushDeps, WalletDeps } from '../../deps';
import { PushFailure } from '../../outside/apple/push';
import { CircuitOpen } from '../../outside/circuits';
import { GoogleRefusal } from '../../outside/google/api';
import { createSendWindows } from '../../outside/send-windows';
import { sharingSources } from '../../outside/shared-sources';
import type { Wallet } from '../../store/credentials';
import { pushing as metrics } from '../../store/metrics';
import type { PassUpdate } from '../../store/pass-update-document';
import { settleBarcode } from '../pass/settle-barcode';
import { findPasses, type PassOnTemplate, type PassToPush } from './find-signed-pass';
import { pushApple } from './push-apple';
import { Pushing, Unsendable } from './push-failures';
import { pushGoogle } from './push-google';
import { showNextTexts } from './show-next-texts';
import { TextsOfPage } from './text-progress';

/** Passes that one process has in hand at once, and those of one workspace among them. */
const CONCURRENCY = 1_200;
const SHARE = 400;
/** Passes that are drawn and noted together: few enough that drawing them keeps no request of this process waiting. */
const PAGE = 100;
const RETRY_MS_MIN = 5_000;
const RETRY_MS_MAX = 10 * 60_000;
/** What could not be delivered for so long is no news any more; the next change is another try. */
const GIVE_UP_MS = 24 * 60 * 60_000;

/**
 * Works off the wallet updates that are owed (part 3, section 10), in pages of one workspace each. Any number of replicas
 * may do it: each update is claimed, and done again when the replica that claimed it dies. Workspaces take turns: one whose
 * credentials do not work, or that has a hundred thousand passes to redraw, holds up its own pushes only.
 */
export const pushWorker = (walletDeps: WalletDeps): PageJob<PassUpdate> => {
  const deps = { ...sharingSources(walletDeps), windows: createSendWindows() };
  return {
    name: 'push-wallet-updates',
    due: deps.passUpdates.due,
    concurrency: CONCURRENCY,
    share: SHARE,
    page: PAGE,
    leaseMs: PIECE_LEASE_MS,
    clock: deps.clock,
    workPage: (claimed) =>
      pushPage(
        deps,
        claimed.map(({ row }) => row),
      ),
  };
};

/** Noted together with the end of the claim. */
const SENT = { status: 'sent', attempts: 0, error: null } as const;

/** Updates that are worked on together, what went wrong with them, and how far their texts come. */
interface Page {
  updates: readonly PassUpdate[];
  pushing: Pushing;
  texts: TextsOfPage;
}

async function pushPage(deps: PushDeps, updates: readonly PassUpdate[]): Promise<void> {
  const page = { updates, pushing: new Pushing(), texts: new TextsOfPage() };
  const { pushing, texts } = page;
  const passIds = updates.map(({ passId }) => passId);
  const work = isSandbox(updates[0]!.workspaceId) ? passOver : pushAll;
  await pushing.ofAll(passIds, () => work(deps, page));
  const sent = updates.filter(({ passId }) => !pushing.failures.has(passId));
  const ending = { outcome: SENT, texts: (passId: string) => texts.of(passId) };
  await deps.passUpdates.settle(sent, deps.clock.now(), ending);
  if (pushing.failures.size > 0) await retryLater(deps, page);
}

/** The phones of a sandbox hear nothing (docs/adr/0029); its cards show what they would show. */
async function passOver(deps: PushDeps, page: Page): Promise<void> {
  for (const passId of (await shownPasses(deps, page)).keys()) page.texts.giveUp(passId);
}

/** What went wrong with one wallet, noted with what went wrong with both. */
class WalletPushing extends Pushing {
  constructor(private readonly both: Pushing) {
    super();
  }

  override note(passId: string, error: unknown): void {
    super.note(passId, error);
    this.both.note(passId, error);
  }
}

/** One wallet that fails does not keep the other back; both are tried again, and only what is new is sent. */
async function pushAll(deps: PushDeps, page: Page): Promise<void> {
  const { updates, pushing, texts } = page;
  const { workspaceId } = updates[0]!;
  const passes = await passesToPush(deps, page);
  const ids = passes.map(({ pass }) => pass.id);
  const pushTo = async (wallet: Wallet, push: typeof pushApple): Promise<void> => {
    const own = new WalletPushing(pushing);
    await own.ofAll(ids, () => push(deps, workspaceId, { passes, pushing: own }));
    for (const id of ids) if (isHeard(own, id)) texts.hear(id, wallet, own.texts.get(id));
    measure(wallet, { updates, pushing: own, now: deps.clock.now() });
  };
  await Promise.all([pushTo('apple', pushApple), pushTo('google', pushGoogle)]);
}

/** A text that came to one of several phones, or that nothing can be sent by, keeps no later one waiting. */
function isHeard({ failures, sent }: Pushing, passId: string): boolean {
  const failure = failures.get(passId);
  return failure === undefined || failure instanceof Unsendable || sent.has(passId);
}

interface WalletPage {
  updates: readonly PassUpdate[];
  pushing: Pushing;
  now: Date;
}

/**
 * A pass that is on no phone, or shows nothing new there, says nothing of how a wallet is; nor does what the platform itself
 * had away, which has alerts of its own.
 */
function measure(wallet: Wallet, { updates, pushing: { sent, failures }, now }: WalletPage): void {
  for (const { passId, changedAt } of updates)
    if (sent.has(passId))
      metrics.delay.observe({ wallet }, Math.max(0, now.getTime() - changedAt.getTime()) / 1_000);
  const failed = [...failures.values()].filter((error) => !isOutage(error));
  metrics.failed.inc({ wallet }, failed.length);
}

/** The passes that there are still, with the texts that they are to show. */
async function shownPasses(
  deps: PushDeps,
  { updates, texts }: Page,
): Promise<ReadonlyMap<string, PassOnTemplate>> {
  const passIds = updates.map(({ passId }) => passId);
  const found = await findPasses(deps, updates[0]!.workspaceId, passIds);
  const shown = await showNextTexts(deps, updates, found);
  for (const { passId, heard } of updates) {
    const on = shown.get(passId);
    if (on) texts.begin(on.pass, heard);
  }
  return shown;
}

/** With the barcodes that they are to show. */
async function passesToPush(deps: PushDeps, page: Page): Promise<PassToPush[]> {
  const shown = await shownPasses(deps, page);
  const passes: PassToPush[] = [];
  await Promise.all(
    page.updates.map(({ passId, isRepeat }) =>
      page.pushing.of(passId, async () => {
        const on = shown.get(passId);
        if (!on) return;
        const pass = await settleBarcode(deps, on.pass, on.template);
        passes.push({ pass, template: on.template, isRepeat });
      }),
    ),
  );
  return passes;
}

/** What a wallet service said, or why it heard nothing; nothing else is for people outside. */
function reasonOf(error: unknown): string {
  const isTheirs = [PushFailure, GoogleRefusal, Unsendable].some((kind) => error instanceof kind);
  return isTheirs ? (error as Error).message : 'the push failed inside the platform';
}

/**
 * Waits as long again as they have been failing, so that a wallet service that is away is asked ever less often. What was away of the
 * platform itself is back soon, and phones have waited for it already; so has the next text for the wallet that did not fail.
 */
async function retryLater(deps: PushDeps, { updates, pushing, texts }: Page): Promise<void> {
  const { failures } = pushing;
  const now = deps.clock.now();
  const failingMsOf = ({ changedAt }: PassUpdate) => now.getTime() - changedAt.getTime();
  const failed = updates.filter(({ passId }) => failures.has(passId));
  const errors = new Map([...failures].map(([passId, error]) => [passId, reasonOf(error)]));
  await deps.pushes.noteFailures(failed[0]!.workspaceId, errors, now);
  const isOld = (update: PassUpdate) => failingMsOf(update) > GIVE_UP_MS;
  for (const update of failed.filter(isOld)) texts.giveUp(update.passId);
  const isGivenUp = (update: PassUpdate) =>
    isOld(update) || failures.get(update.passId) instanceof Unsendable;
  for (const update of failed)
    log(deps, update, { error: failures.get(update.passId), isGivenUp: isGivenUp(update) });
  const waitsFor = (passId: string) => pushing.waitsFor(passId);
  const ending = { waitsFor, texts: (passId: string) => texts.of(passId) };
  await deps.passUpdates.settle(failed.filter(isGivenUp), now, ending);
  await deps.passUpdates.postpone(
    failed
      .filter((update) => !isGivenUp(update))
      .map((update) => {
        const { passId } = update;
        const progress = texts.of(passId);
        const isSoon = isOutage(failures.get(passId)) || progress?.isMoreWaiting;
        const patienceMs = isSoon ? 0 : failingMsOf(update);
        const delayMs = Math.min(Math.max(patienceMs, RETRY_MS_MIN), RETRY_MS_MAX);
        const retryAt = new Date(now.getTime() + delayMs);
        return { update, retryAt, waitsFor: waitsFor(passId), heard: progress?.heard };
      }),
  );
}

function log(
  { logger }: Pick<PushDeps, 'logger'>,
  { passId, workspaceId }: PassUpdate,
  { error, isGivenUp }: { error: unknown; isGivenUp: boolean },
): void {
  const about = { err: error, pass_id: passId, workspace_id: workspaceId };
  // A thousand passes behind one certificate that has ended make no event each: LaurelPushesStuck tells of that.
  if (error instanceof Unsendable) logger.debug(about, error.message);
  else if (isGivenUp) logger.error(about, 'a wallet update is given up');
  // A thousand passes behind one certificate that does not work make one event, by the push that found out.
  else if (error instanceof CircuitOpen) logger.debug(about, error.message);
  else logger.warn(about, 'a wallet update failed and will be tried again');
}
