import { platform } from '@laurel/errors';
import type { common, ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { CheckpointDocument } from '../store/checkpoints';

type Needs = Pick<Deps, 'checkpoints'>;

/** The newest first. */
export async function listCheckpoints(
  deps: Needs,
  request: ledger.ListCheckpointsRequest,
): Promise<ledger.CheckpointPage> {
  const { checkpoints, total } = await deps.checkpoints.list(request.workspace_id, request);
  return { checkpoints: checkpoints.map(toMessage), total_count: total };
}

export async function getCheckpoint(
  deps: Needs,
  { workspace_id, id }: common.Id,
): Promise<ledger.Checkpoint> {
  const checkpoint = await deps.checkpoints.find(workspace_id, id);
  if (!checkpoint) throw platform.recordNotFound();
  return toMessage(checkpoint);
}

function toMessage({ _id, at, expires_at: _end, ...rest }: CheckpointDocument): ledger.Checkpoint {
  return { id: _id, at: at.toISOString(), ...rest };
}
