import { erasePerson, mergePerson, unitOfWork } from '@laurel/mongo';
import { total } from '@laurel/values/amount';
import { whileRenewing } from '@laurel/work';
import type { Deps } from '../deps';
import type { Process, ProcessKind } from '../store/processes';
import { rebuildProfile } from './rebuild-profile';
import { type Person, resolveClients } from './resolve-clients';

/** Longer than any transaction lives: an event that was being written while its client went is in by then. */
const SETTLE_MS = 90_000;
const SETTLE = 'settle';
const RETRY_MS = 1_000;
/** How long a process stays with a replica that died at it; one that lives renews its claim. */
export const CLAIM_MS = 20_000;

type Step = (deps: Deps, process: Process) => Promise<unknown>;

const scrubTrail: Step = async (deps, { workspaceId, clientId }) => {
  await erasePerson(deps, { workspaceId, clientId, ending: 'anonymized' });
  await deps.events.scrub(workspaceId, clientId, null);
};

const orphanTrail: Step = async (deps, { workspaceId, clientId, createdAt }) => {
  await erasePerson(deps, { workspaceId, clientId, ending: 'deleted' });
  await deps.events.scrub(workspaceId, clientId, createdAt);
};

const moveTrail: Step = async (deps, process) => {
  const { workspaceId, clientId } = process;
  const { clientId: target } = await targetOf(deps, process);
  await mergePerson(deps, { workspaceId, source: clientId, target });
  await deps.events.moveToClient(workspaceId, clientId, target);
  await moveMetrics(deps, { ...process, targetClientId: target });
  await unitOfWork(deps.connection, (session) =>
    rebuildProfile(deps, { workspaceId, session }, target),
  );
  // Asked once more when all is moved: an erasure that comes later scrubs what it finds, an earlier one may be over.
  const now = await targetOf(deps, process);
  if (!now.erased) return;
  const erasure = { workspaceId, clientId: now.clientId };
  await erasePerson(deps, {
    ...erasure,
    ending: now.goneSince === null ? 'anonymized' : 'deleted',
  });
  await deps.events.scrub(workspaceId, now.clientId, now.goneSince);
};

const scrubLedger: Step = ({ ledger }, { workspaceId, clientId }) =>
  ledger.ScrubClient({ workspace_id: workspaceId, client_id: clientId });

const closeWallets: Step = ({ ledger }, { workspaceId, clientId, kind }) =>
  ledger.CloseClientWallets({
    workspace_id: workspaceId,
    client_id: clientId,
    anonymized: kind === 'anonymize',
  });

const mergeWallets: Step = async (deps, process) => {
  const { workspaceId: workspace_id, clientId: source_client_id } = process;
  const { clientId: client_id, erased, goneSince } = await targetOf(deps, process);
  const { ledger } = deps;
  await ledger.MergeClientWallets({ workspace_id, source_client_id, target_client_id: client_id });
  if (!erased) return;
  // Where the target had no wallet yet, none says there that it has ended.
  await ledger.CloseClientWallets({ workspace_id, client_id, anonymized: goneSince === null });
  await ledger.ScrubClient({ workspace_id, client_id });
};

/** Whom a merge leads to by now: the target may have become part of a third meanwhile, or be gone. */
async function targetOf(deps: Deps, { workspaceId, targetClientId }: Process): Promise<Person> {
  const target = targetClientId!;
  const people = await resolveClients(deps, { workspaceId }, [target]);
  const asBefore = { clientId: target, name: null, erased: false, goneSince: null };
  return people.get(target) ?? asBefore;
}

type Named = readonly [name: string, run: Step];

/** What a process does: the steps of a lane one after the other, lanes beside each other; `late` once all has settled. */
interface Course {
  lanes: readonly (readonly Named[])[];
  late: readonly Named[];
}

/**
 * What each kind of process does. Every step may run again at any time. The services not
 * named here take their part from clients.merged, clients.anonymized and clients.deleted.
 * What others were writing for the client at that very moment is seen to once everything has settled: also in the ledger,
 * where a wallet that was never used cannot be closed, and points may come into it that were asked for before.
 */
const COURSES: Record<ProcessKind, Course> = {
  anonymize: {
    lanes: [
      [['trail', scrubTrail]],
      [
        ['wallets', closeWallets],
        ['ledger', scrubLedger],
      ],
    ],
    late: [
      [SETTLE, scrubTrail],
      ['late points', closeWallets],
      ['late notes', scrubLedger],
    ],
  },
  delete: {
    lanes: [
      [['trail', orphanTrail]],
      [
        ['ledger', closeWallets],
        ['ledger scrub', scrubLedger],
      ],
    ],
    late: [
      [SETTLE, orphanTrail],
      ['late points', closeWallets],
      ['late notes', scrubLedger],
    ],
  },
  merge: {
    lanes: [[['trail', moveTrail]], [['ledger', mergeWallets]]],
    late: [
      [SETTLE, moveTrail],
      ['late points', mergeWallets],
    ],
  },
};

/**
 * Does what is left of a process. Resolves when everything but the settling is done, which the sweeper
 * does later. Throws what a step threw; the sweeper tries again.
 */
export async function runProcess(deps: Deps, process: Process): Promise<void> {
  const { processes, clock } = deps;
  const { lanes, late } = COURSES[process.kind];
  await runLanes(deps, process, lanes);
  const settlesAt = new Date(process.createdAt.getTime() + SETTLE_MS);
  if (clock.now() < settlesAt && isLeft(process, late[0]!))
    return processes.postpone(process, settlesAt);
  await runLanes(deps, process, [late]);
  await processes.finish(process, clock.now());
}

const isLeft = ({ doneSteps }: Process, [name]: Named): boolean => !doneSteps.includes(name);

/** It is given back only once no lane is at it any more. */
async function runLanes(deps: Deps, process: Process, lanes: Course['lanes']): Promise<void> {
  const ended = await Promise.allSettled(lanes.map((lane) => runLane(deps, process, lane)));
  const failed = ended.find((one) => one.status === 'rejected');
  if (!failed) return;
  const { processes, clock } = deps;
  const waitMs = RETRY_MS * 2 ** Math.min(process.attempts, 8);
  await processes.postpone(process, new Date(clock.now().getTime() + waitMs));
  throw failed.reason;
}

async function runLane(deps: Deps, process: Process, lane: readonly Named[]): Promise<void> {
  const { processes, clock, logger } = deps;
  const claim = () => processes.keep(process, new Date(clock.now().getTime() + CLAIM_MS));
  for (const [name, run] of lane.filter((step) => isLeft(process, step))) {
    try {
      await whileRenewing(CLAIM_MS, claim, () => run(deps, process));
    } catch (error) {
      const { kind, attempts } = process;
      logger.warn({ err: error, kind, step: name, attempts }, 'a step will be tried again');
      throw error;
    }
    await processes.markStep(process, name);
  }
}

const beforeSettling = (kind: ProcessKind): string[] =>
  COURSES[kind].lanes.flat().map(([name]) => name);

/** Whether clients of a workspace are being merged: of those who became others not all is theirs yet. */
export function isMerging(
  { processes }: Pick<Deps, 'processes'>,
  workspaceId: string,
): Promise<boolean> {
  return processes.isAnyBefore(workspaceId, 'merge', beforeSettling('merge'));
}

/** Whether all is done that is not left until everything has settled. */
export function isSettling({ kind, doneSteps }: Process): boolean {
  return beforeSettling(kind).every((name) => doneSteps.includes(name));
}

/** Adds what the source bought to the target's metrics, once: the source's go in the same transaction. */
function moveMetrics({ connection, metrics }: Deps, process: Process): Promise<void> {
  const { workspaceId, clientId, targetClientId } = process;
  return unitOfWork(connection, async (session) => {
    const found = await metrics.findMany(workspaceId, [clientId, targetClientId!], session);
    const source = found.get(clientId)!;
    const target = found.get(targetClientId!)!;
    if (source.revision === 0) return;
    const latest = [source.lastTransactionAt, target.lastTransactionAt]
      .filter((moment) => moment !== null)
      .sort((a, b) => b.getTime() - a.getTime());
    const merged = {
      ...target,
      transactionCount: target.transactionCount + source.transactionCount,
      totalSpending: total(target.totalSpending, source.totalSpending),
      lastTransactionAt: latest[0] ?? null,
    };
    await metrics.save([merged], session);
    await metrics.remove(workspaceId, clientId, session);
  });
}
