import { currentContext } from './context';

/** How far the clocks of sandboxes are ahead of real time, in milliseconds; workspaces that are live are not in it. */
const aheadMsOf = new Map<string, number>();
/** Sandboxes that are no more: what was under way when they ended must not bring them back. */
const gone = new Set<string>();
const GONE_MAX = 10_000;
const listeners = new Set<(workspaceId: string) => void>();

/** What time it is for whom: real time, but in a sandbox whose clock was moved (docs/adr/0029). */
export interface WorkspaceClock {
  /** Of the workspace named, or of the one that the work going on is for. */
  now(workspaceId?: string): Date;
}

export const workspaceClock: WorkspaceClock = {
  now: (workspaceId) => new Date(Date.now() + (aheadMsOf.size === 0 ? 0 : aheadMs(workspaceId))),
};

function aheadMs(workspaceId = currentContext().workspaceId): number {
  return (workspaceId !== null && aheadMsOf.get(workspaceId)) || 0;
}

/** The time of the present request's workspace, where sandboxes are known by requests alone, as in the gateway. */
export const requestNow = (): Date => new Date(Date.now() + (currentContext().sandboxAheadMs ?? 0));

/** How far a sandbox is ahead of real time, in milliseconds; undefined where it is not known to be a sandbox. */
export function sandboxAheadMs(workspaceId: string | null | undefined): number | undefined {
  if (aheadMsOf.size === 0 || !workspaceId) return undefined;
  return aheadMsOf.get(workspaceId);
}

export const isSandbox = (workspaceId: string | null | undefined): boolean =>
  sandboxAheadMs(workspaceId) !== undefined;

/** The sandboxes whose time is not real time any more. */
export function movedSandboxes(): string[] {
  if (aheadMsOf.size === 0) return [];
  return [...aheadMsOf].flatMap(([workspaceId, ms]) => (ms > 0 ? [workspaceId] : []));
}

/** Takes note of how far a sandbox is ahead. Clocks only go forward: of two that differ the larger one is the newer. */
export function noteSandbox(workspaceId: string, ms: number): void {
  const known = aheadMsOf.get(workspaceId);
  if ((known !== undefined && known >= ms) || gone.has(workspaceId)) return;
  aheadMsOf.set(workspaceId, ms);
  if (ms > 0) for (const listener of listeners) listener(workspaceId);
}

/** It is gone, and costs no look any more. */
export function forgetSandbox(workspaceId: string): void {
  if (!aheadMsOf.delete(workspaceId)) return;
  if (gone.size >= GONE_MAX) gone.clear();
  gone.add(workspaceId);
}

/** Calls `listener` when the clock of a sandbox has moved in this process; returns how to end that. */
export function onClockMoved(listener: (workspaceId: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
