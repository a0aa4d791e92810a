import type { Again } from '@laurel/work';
import type { Deps } from '../deps';
import { endWorkspace } from './delete-workspace';

const BATCH = 50;

/** Deletes the sandboxes whose day is over, as their creators would have. */
export async function endSandboxes(deps: Deps): Promise<Again> {
  const ended = await deps.sandboxClocks.ended(deps.clock.now(), BATCH);
  for (const workspaceId of ended) await endWorkspace(deps, workspaceId, () => undefined);
  return { more: ended.length === BATCH };
}
