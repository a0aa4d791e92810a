import { newId } from '@laurel/lifecycle';
import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import type { Process, ProcessKind } from '../store/processes';

/** Until then its opener runs the process; after that the sweeper does. */
const OWN_MS = 30_000;

export interface ProcessOrder {
  workspaceId: string;
  kind: ProcessKind;
  clientId: string;
  targetClientId?: string;
}

/** Writes down, in the transaction that starts it, what remains to be done about a client. */
export async function openProcess(
  { processes, clock }: Pick<Deps, 'processes' | 'clock'>,
  { workspaceId, kind, clientId, targetClientId }: ProcessOrder,
  session: Session,
): Promise<Process> {
  const now = clock.now();
  const process: Process = {
    id: newId(),
    workspaceId,
    kind,
    clientId,
    targetClientId: targetClientId ?? null,
    doneSteps: [],
    attempts: 0,
    createdAt: now,
    finishedAt: null,
  };
  await processes.insert(process, new Date(now.getTime() + OWN_MS), session);
  return process;
}
