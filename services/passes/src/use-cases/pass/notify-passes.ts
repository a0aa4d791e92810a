import { isFinalRefusal, isRefusedAs, platform, type Refusal } from '@laurel/errors';
import { keptOperation, runInContext, tryAgain } from '@laurel/lifecycle';
import { commitEachOnce } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { notifiedPass, type Pass } from '../../domain/pass/pass';
import { hasPlaceholder } from '../../domain/pass/placeholders';
import { refusals } from '../../refusals';
import { authorship } from './author';
import { AS_HANDED_OVER, HandedOver } from './meant-for';
import { queueWalletUpdate } from './queue-wallet-update';
import { changePass } from './update-pass';

/** Passes whose text has to be filled for each of them are changed so many at once. */
const AT_ONCE = 8;

/**
 * Shows one text on many passes and asks for their wallet updates, in one transaction (docs/adr/0027). Each notice is an
 * operation of its own: one that was done is passed over, whichever call did it and however the others end. One that names a
 * client is shown only while the pass is theirs.
 */
export async function notifyPasses(
  deps: PassDeps,
  request: api.NotifyPassesRequest,
): Promise<api.NotifiedPasses> {
  if (hasPlaceholder(request.notification)) return { passes: await oneByOne(deps, request) };
  return { passes: await tryAgain(AS_HANDED_OVER, () => notifyHolders(deps, request)) };
}

/** Those whose pass seems to be another client's are looked at one by one: it may be one that they were merged with. */
async function notifyHolders(
  deps: PassDeps,
  request: api.NotifyPassesRequest,
): Promise<api.NotifiedPass[]> {
  const { workspace_id: workspaceId, notices } = request;
  const named = notices.filter(({ client_id }) => client_id !== undefined);
  const passIds = named.map(({ pass_id }) => pass_id);
  const holders = await deps.passes.holdersOf(workspaceId, passIds);
  const isTheirs = ({ pass_id, client_id }: api.PassNotice) =>
    client_id === undefined || !holders.has(pass_id) || holders.get(pass_id) === client_id;
  const others = notices.filter((notice) => !isTheirs(notice));
  // Two members of an audience may have become one client, which has the pass once.
  const theirs = new Map(notices.filter(isTheirs).map((one) => [one.operation_id, one]));
  // First: what is theirs may bear the same name, and would be taken for its repeat.
  const alone = await oneByOne(deps, { ...request, notices: others });
  const together = await allAtOnce(deps, { ...request, notices: [...theirs.values()] });
  const reasons = new Map([...theirs.keys()].map((operation, at) => [operation, together[at]]));
  const byNotice = new Map(others.map((notice, at) => [notice, alone[at]!]));
  return notices.map((notice) => {
    const answer = { pass_id: notice.pass_id, ...reasons.get(notice.operation_id) };
    return byNotice.get(notice) ?? answer;
  });
}

/** Why a pass was not notified; empty where it was. */
type Reason = Omit<api.NotifiedPass, 'pass_id'>;

/** Throws HandedOver where one is another client's by now. */
async function allAtOnce(
  deps: PassDeps,
  { workspace_id: workspaceId, notification, notices }: api.NotifyPassesRequest,
): Promise<Reason[]> {
  const contexts = notices.map(({ operation_id }) => keptOperation(operation_id));
  const { userId, now } = authorship(deps);
  const passes = await commitEachOnce<api.NotifiedPass>(
    deps.connection,
    contexts,
    async (session, fresh) => {
      const due = fresh.map((at) => notices[at]!);
      const ids = due.map(({ pass_id }) => pass_id);
      const found = await deps.passes.findMany(workspaceId, ids, session);
      requireSameHolders(due, found);
      const changed = new Map<string, Pass>();
      for (const id of ids) {
        const before = changed.get(id) ?? found.get(id);
        if (before)
          changed.set(id, {
            ...notifiedPass(before, notification),
            user_updated: userId ?? before.user_updated,
            date_updated: now,
          });
      }
      await deps.passes.replaceAll([...changed.values()], session);
      await queueWalletUpdate(deps, { workspaceId, passIds: [...changed.keys()] }, session);
      return ids.map((pass_id) =>
        changed.has(pass_id) ? { pass_id } : { pass_id, ...reasonOf(refusals.passNotFound()) },
      );
    },
  );
  // What an earlier version kept of an operation is the pass itself.
  return passes.map(({ refusal, is_missing }) =>
    refusal === undefined ? {} : { refusal, ...(is_missing ? { is_missing } : {}) },
  );
}

function requireSameHolders(
  notices: readonly api.PassNotice[],
  found: ReadonlyMap<string, Pass>,
): void {
  for (const { pass_id, client_id } of notices) {
    const pass = found.get(pass_id);
    if (pass && client_id !== undefined && pass.client_id !== client_id) throw new HandedOver();
  }
}

function reasonOf(refused: Refusal): Reason {
  const missing = isRefusedAs(refused, platform.recordNotFound) ? { is_missing: true } : {};
  return { refusal: refused.message, ...missing };
}

/** For texts that are filled for each pass, and where it is to be looked whose a pass is. */
async function oneByOne(
  deps: PassDeps,
  { workspace_id, notification, notices }: api.NotifyPassesRequest,
): Promise<api.NotifiedPass[]> {
  const notified: api.NotifiedPass[] = [];
  for (let at = 0; at < notices.length; at += AT_ONCE) {
    const group = notices.slice(at, at + AT_ONCE).map(async (notice) => {
      const { pass_id, operation_id, client_id } = notice;
      const meantFor = client_id === undefined ? {} : { for_client_id: client_id };
      try {
        const change = { workspace_id, id: pass_id, notification, ...meantFor };
        await runInContext(keptOperation(operation_id), () => changePass(deps, change));
        return { pass_id };
      } catch (error) {
        if (!isFinalRefusal(error)) throw error;
        return { pass_id, ...reasonOf(error) };
      }
    });
    notified.push(...(await Promise.all(group)));
  }
  return notified;
}
