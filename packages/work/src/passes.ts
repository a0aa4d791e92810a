import { AsyncLocalStorage } from 'node:async_hooks';
import { movedSandboxes, runInContext, systemContext } from '@laurel/lifecycle';

/** By whose clock due rows are asked for: that of one sandbox, or real time, which is everybody's but some sandboxes'. */
type Pass = { only: string } | { except: readonly string[] };

const current = new AsyncLocalStorage<Pass>();

/**
 * Looks for what is due, once by real time and then once by the clock of each sandbox that was moved (docs/adr/0029).
 * As long as none was there is one look, and nothing about it is different.
 */
export async function onceForEachClock<T>(look: () => Promise<T>): Promise<T[]> {
  const moved = movedSandboxes();
  if (moved.length === 0) return [await look()];
  const looks = [await current.run({ except: moved }, look)];
  for (const workspaceId of moved) looks.push(await byClockOf(workspaceId, look));
  return looks;
}

/** Does something by the clock of one sandbox and for its rows alone. */
export function byClockOf<T>(workspaceId: string, work: () => T): T {
  const context = systemContext({ workspaceId, background: true });
  return current.run({ only: workspaceId }, () => runInContext(context, work));
}

/** The sandbox by whose clock work is looked for at the moment; undefined for real time. */
export function clockOwner(): string | undefined {
  const pass = current.getStore();
  return pass && 'only' in pass ? pass.only : undefined;
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
