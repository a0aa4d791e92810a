import { isOutage } from '@laurel/events';
import { mapAtOnce } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { type Part, PIECE_LEASE_MS, type PieceJob } from '@laurel/work';
import type { Deps } from '../deps';
import { AWAY_MS, FAULTS_MAX, retryMs } from '../domain/retry';
import { isWithinWindow, type Rule } from '../domain/rule';
import { trigger } from '../domain/trigger';
import type { ClaimedRun, Run } from '../store/runs';
import { fireRule } from './fire-rules';

const CLIENTS_PER_PAGE = 200;
/** Pages that are read ahead of those who work on them. */
const PAGES_AHEAD = 16;
const AT_ONCE = 8;
/** After that long it is looked whether pages were worked on. */
const WAIT_MS = 500;

/**
 * Reads on in runs that wait for a reader, and leaves the active clients in pages for whichever replica claims them
 * (docs/adr/0045). Workspaces take turns: a rule over a million members does not keep the birthday rule of another waiting.
 */
export const runReader = (deps: Deps, clientsPerPage = CLIENTS_PER_PAGE): PieceJob<ClaimedRun> => ({
  name: 'work-runs',
  due: deps.runs.due,
  concurrency: 4,
  share: 1,
  leaseMs: PIECE_LEASE_MS,
  clock: deps.clock,
  work: (run) => readOn(deps, run, clientsPerPage),
});

/** Works on the pages of runs. One that is done again after a crash finds what it has done: each client is served once per run. */
export const runWorker = (deps: Deps): PieceJob<Part> => ({
  name: 'work-run-parts',
  due: deps.runParts.due,
  concurrency: 4,
  share: 1,
  leaseMs: PIECE_LEASE_MS,
  clock: deps.clock,
  work: (part) => servePart(deps, part),
});

async function readOn(deps: Deps, claimed: ClaimedRun, limit: number): Promise<void> {
  const { workspaceId, id: walk } = claimed;
  const waiting = await deps.runParts.count({ workspaceId, walk }, PAGES_AHEAD);
  let run = claimed;
  if (!run.isRead && (await wantedRule(deps, run)) !== null) {
    for (let count = waiting; count < PAGES_AHEAD && !run.isRead; count += 1) {
      const next = await leavePage(deps, run, limit);
      if (!next) return;
      run = next;
    }
    return deps.runs.release(run, laterBy(deps, WAIT_MS));
  }
  if (waiting > 0) return deps.runs.release(run, laterBy(deps, WAIT_MS));
  return deps.runs.finish(run, deps.clock.now());
}

/** The run as it stands after another page; null when somebody else took it over. */
async function leavePage(deps: Deps, run: ClaimedRun, limit: number): Promise<ClaimedRun | null> {
  const { workspaceId, id: walk } = run;
  const page = await deps.clients.ListClients({
    workspace_id: workspaceId,
    filter: { status: 'active', tier_ids: [], custom_fields: [] },
    limit,
    offset: 0,
    ...(run.cursor === null ? {} : { cursor: run.cursor }),
  });
  const next = page.next_cursor
    ? { ...run, cursor: page.next_cursor }
    : { ...run, isRead: true as const };
  const ids = page.clients.map(({ id }) => id);
  return unitOfWork(deps.connection, async (session) => {
    if (!(await deps.runs.advance(next, session))) return null;
    await deps.runParts.leave({ workspaceId, walk, now: deps.clock.now() }, [ids], session);
    return next;
  });
}

async function servePart(deps: Deps, part: Part): Promise<void> {
  const run = await deps.runs.find(part.workspaceId, part.walk);
  const rule = run && (await wantedRule(deps, run));
  const left = run && rule ? await serveClients(deps, part, { run, rule }) : NOBODY;
  if (left.undecided.length === 0) await deps.runParts.end(part);
  else await leaveForLater(deps, part, left);
}

/** Those of a page who are to have another turn. */
interface Left {
  /** About whom nothing could be decided. */
  undecided: readonly Undecided[];
  /** Who had no turn yet. */
  passed: readonly string[];
}

interface Undecided {
  clientId: string;
  error: unknown;
}

const NOBODY: Left = { undecided: [], passed: [] };

/**
 * Gives those of a page their turn, and back the ones who are to have another: what meets a fault once it is decided is on
 * record, and the sweeper goes on with it. Where a service is away for as many as have their turn at once, it is for the rest
 * of the page, which waits as well.
 */
async function serveClients(
  deps: Deps,
  { workspaceId, subjects }: Part,
  { run, rule }: { run: Run; rule: Rule },
): Promise<Left> {
  const undecided: Undecided[] = [];
  const passed: string[] = [];
  await mapAtOnce(subjects, AT_ONCE, async (clientId) => {
    if (outagesIn(undecided) >= AT_ONCE) {
      passed.push(clientId);
      return;
    }
    try {
      const fault = await fireRule(deps, { rule, happened: happening(run, clientId) });
      await deps.departures.catchUp(deps, { workspaceId, clientId });
      if (fault && !fault.isOnRecord) undecided.push({ clientId, error: fault.error });
    } catch (error) {
      undecided.push({ clientId, error });
    }
  });
  return { undecided, passed };
}

const outagesIn = (undecided: readonly Undecided[]): number =>
  undecided.filter(({ error }) => isOutage(error)).length;

/**
 * They alone come again: of the others a condition may hold by then that did not at their turn, and a run has one turn for
 * each (part 3, sections 8 and 16). At last those are given up whose fault is their own.
 */
async function leaveForLater(deps: Deps, part: Part, { undecided, passed }: Left): Promise<void> {
  const clients = undecided.map(({ clientId }) => clientId);
  const about = {
    err: undecided[0]!.error,
    run: part.walk,
    workspace_id: part.workspaceId,
    clients,
  };
  const subjects = [...clients, ...passed];
  if (outagesIn(undecided) > 0) {
    deps.logger.warn(about, 'clients of a run wait for a service');
    const at = laterBy(deps, AWAY_MS);
    await deps.runParts.leaveRest(part, { subjects, at, isFault: false });
  } else if (part.faults < FAULTS_MAX) {
    deps.logger.warn(
      about,
      'a rule could not be decided on for clients of a run; it will be again',
    );
    const at = laterBy(deps, retryMs(part.faults));
    await deps.runParts.leaveRest(part, { subjects, at, isFault: true });
  } else {
    deps.logger.error(about, 'clients of a run were given up');
    await deps.runParts.end(part);
  }
}

/** The rule, where it still goes by the clock: one that has become a rule over purchases owes these clients nothing. */
async function wantedRule({ rules }: Deps, run: Run): Promise<Rule | null> {
  const rule = await rules.find(run.workspaceId, run.ruleId);
  if (!rule?.active || rule.trigger_type !== 'time_based') return null;
  return isWithinWindow(rule, run.dueAt) ? rule : null;
}

const laterBy = ({ clock }: Deps, ms: number): Date => new Date(clock.now().getTime() + ms);

function happening(run: Run, clientId: string) {
  return trigger({
    type: 'time_based',
    eventId: run.id,
    triggerEventId: null,
    eventType: 'schedule',
    eventCategory: 'time_based',
    clientId,
    at: run.dueAt,
  });
}
