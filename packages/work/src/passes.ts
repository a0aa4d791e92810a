import { AsyncLocalStorage } from 'node:async_hooks';
import { movedSandboxes, runInContext, systemContext } from '@laurel/lifecycle';

/** By whose clock due rows are asked for: that of one sandbox, or real time, which is everybody's but some sandboxes'. */
type Pass = { only: string } | { except: readonly string[] };

const current = new AsyncLocalStorage<Pass>();

/** By whose clock is looked: a sandbox that was moved, or null for real time, which is everybody else's. */
export type Owner = string | null;

/** Looks by somebody's clock for what is due. As long as no sandbox was moved, nothing about a look by real time is different. */
export function lookBy<T>(owner: Owner, look: () => T): T {
  if (owner !== null) return byClockOf(owner, look);
  const moved = movedSandboxes();
  return moved.length === 0 ? look() : current.run({ except: moved }, look);
}

/** Does something by the clock of one sandbox and for its rows alone. */
export function byClockOf<T>(workspaceId: string, work: () => T): T {
  const context = systemContext({ workspaceId, background: true });
  return current.run({ only: workspaceId }, () => runInContext(context, work));
}

/** By whose clock work is looked for at the moment. */
export function clockOwner(): Owner {
  const pass = current.getStore();
  return pass && 'only' in pass ? pass.only : null;
}

/** What a row's owner must be to go by the clock of this look; empty as long as all go by the same. */
export function whoseClock(): { $eq?: string; $nin?: readonly string[] } {
  const pass = current.getStore();
  if (!pass) return {};
  return 'only' in pass ? { $eq: pass.only } : { $nin: pass.except };
}

/**
 * Keeps a question across tenants to those whose clock it goes by: part of every filter by which a job finds its rows.
 *
 * @param column who a row belongs to
 */
export function ofThisClock(column = 'workspace_id'): Record<string, unknown> {
  const whose = whoseClock();
  return whose.$eq === undefined && whose.$nin === undefined ? {} : { [column]: whose };
}
