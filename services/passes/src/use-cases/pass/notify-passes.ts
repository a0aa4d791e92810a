import { isFinalRefusal } from '@laurel/errors';
import { keptOperation, runInContext } from '@laurel/lifecycle';
import { commitEachOnce } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { notifiedPass, type Pass } from '../../domain/pass/pass';
import { hasPlaceholder } from '../../domain/pass/placeholders';
import { refusals } from '../../refusals';
import { authorship } from './author';
import { queueWalletUpdate } from './queue-wallet-update';
import { updatePass } from './update-pass';

/** Passes whose text has to be filled for each of them are changed so many at once. */
const AT_ONCE = 8;

/**
 * Shows one text on many passes and asks for their wallet updates, in one transaction (docs/adr/0027). Each notice is an
 * operation of its own: one that was done is passed over, whichever call did it and however the others end.
 */
export async function notifyPasses(
  deps: PassDeps,
  request: api.NotifyPassesRequest,
): Promise<api.NotifiedPasses> {
  const { workspace_id: workspaceId, notification, notices } = request;
  if (hasPlaceholder(notification)) return { passes: await oneByOne(deps, request) };
  const contexts = notices.map(({ operation_id }) => keptOperation(operation_id));
  const { userId, now } = authorship(deps);
  const passes = await commitEachOnce<api.NotifiedPass>(
    deps.connection,
    contexts,
    async (session, fresh) => {
      const ids = fresh.map((at) => notices[at]!.pass_id);
      const found = await deps.passes.findMany(workspaceId, ids, session);
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
        changed.has(pass_id) ? { pass_id } : { pass_id, refusal: goneMessage() },
      );
    },
  );
  // What an earlier version kept of an operation is the pass itself.
  return {
    passes: passes.map(({ refusal }, index) => ({
      pass_id: notices[index]!.pass_id,
      ...(refusal === undefined ? {} : { refusal }),
    })),
  };
}

const goneMessage = (): string => refusals.passNotFound().message;

/** What is filled in is another text on each pass. */
async function oneByOne(
  deps: PassDeps,
  { workspace_id, notification, notices }: api.NotifyPassesRequest,
): Promise<api.NotifiedPass[]> {
  const notified: api.NotifiedPass[] = [];
  for (let at = 0; at < notices.length; at += AT_ONCE) {
    const group = notices.slice(at, at + AT_ONCE).map(async ({ pass_id, operation_id }) => {
      try {
        const change = { workspace_id, id: pass_id, notification };
        await runInContext(keptOperation(operation_id), () => updatePass(deps, change));
        return { pass_id };
      } catch (error) {
        if (!isFinalRefusal(error)) throw error;
        return { pass_id, refusal: error.message };
      }
    });
    notified.push(...(await Promise.all(group)));
  }
  return notified;
}
