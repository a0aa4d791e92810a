import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '@laurel/lifecycle';
import { etagOf, isDuplicateKey, requireUnchanged, unitOfWork } from '@laurel/mongo';
import type { referrals as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import {
  type CompletionCriteria,
  newProgram,
  type ProgramFields,
  replaceProgram,
} from '../domain/program';
import { refusals } from '../refusals';
import { toProgramReply } from './wire';

/** How long a distribution made a moment ago may be on its way here. */
const ARRIVAL_MS = 1_500;
const LOOK_EVERY_MS = 50;

type PutDeps = Pick<Deps, 'programs' | 'distributions' | 'connection' | 'clock'>;

/** Creates the workspace's program or replaces it: what is not given is null. */
export async function putProgram(
  deps: PutDeps,
  request: api.PutProgramRequest,
): Promise<api.Program> {
  const { workspace_id: workspaceId } = request;
  const fields = fieldsOf(request);
  await requireDistribution(deps, workspaceId, fields.distribution_id);
  try {
    return await write(deps, workspaceId, fields);
  } catch (error) {
    // Somebody else created it just now; ours goes on top.
    if (isDuplicateKey(error)) return write(deps, workspaceId, fields);
    throw error;
  }
}

function write(
  { programs, connection, clock }: PutDeps,
  workspaceId: string,
  fields: ProgramFields,
): Promise<api.Program> {
  return unitOfWork(connection, async (session) => {
    const now = clock.now();
    const current = await programs.find(workspaceId, session);
    requireUnchanged(current && { ...current, changedAt: current.date_updated });
    if (!current) {
      const created = newProgram({ id: newId(), workspaceId, now }, fields);
      await programs.insert(created, session);
      return { ...toProgramReply(created), etag: etagOf({ ...created, revision: 1 }) };
    }
    const replaced = replaceProgram(current, fields, now);
    await programs.replace({ ...replaced, revision: current.revision }, session);
    const etag = etagOf({ id: current.id, revision: current.revision + 1 });
    return { ...toProgramReply(replaced), etag };
  });
}

async function requireDistribution(
  { distributions }: PutDeps,
  workspaceId: string,
  id: string | null,
): Promise<void> {
  if (id === null) return;
  const givesUpAt = Date.now() + ARRIVAL_MS;
  while (!(await distributions.find(workspaceId, id))) {
    if (Date.now() >= givesUpAt) throw refusals.unknownDistribution({ field: 'distribution_id' });
    await pause(LOOK_EVERY_MS);
  }
}

function fieldsOf(request: api.PutProgramRequest): ProgramFields {
  return {
    enabled: request.enabled,
    completion_criteria: request.completion_criteria as CompletionCriteria,
    distribution_id: request.distribution_id ?? null,
    pending_expiry_days: request.pending_expiry_days ?? null,
    max_referrals_per_referrer: request.max_referrals_per_referrer ?? null,
  };
}
