import {
  type Context,
  Neighbours,
  neighboursPer,
  runInContext,
  soonestOf,
  type Waiting,
} from '@laurel/lifecycle';
import { commitEachOnce, isOfSome, retryingCollisions, type Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import type { TrailEvent } from '../domain/trail-event';
import { type Written, writeTrail } from './write-trail';

/**
 * Writes the events of one request, all of one workspace, and their effects. Requests of a workspace that come at once are
 * written together, in their order, in one transaction, and all answered (part 4, section 6).
 */
export function commitEvents(deps: Deps, drafts: readonly TrailEvent[]): Promise<Written[]> {
  return neighboursOf(deps.connection).run(drafts[0]!.workspace_id, { deps, drafts });
}

/** Writes events and their effects in the transaction of a caller, whatever workspaces they are of. */
export async function writeDrafts(
  deps: Deps,
  drafts: readonly TrailEvent[],
  { session, contexts }: { session: Session; contexts?: ReadonlyMap<string, Context> | undefined },
): Promise<Written[]> {
  const written = new Map<string, Written>();
  for (const workspaceId of new Set(drafts.map((draft) => draft.workspace_id))) {
    const own = drafts.filter((draft) => draft.workspace_id === workspaceId);
    const writing = { drafts: own, ...(contexts ? { contexts } : {}) };
    const results = await writeTrail(deps, { workspaceId, session }, writing);
    for (const [index, draft] of own.entries()) written.set(draft.id, results[index]!);
  }
  return drafts.map((draft) => written.get(draft.id)!);
}

/** The events of one request. */
interface Told {
  deps: Deps;
  drafts: readonly TrailEvent[];
}

const neighboursOf = neighboursPer(
  (): Neighbours<Told, Written[]> => new Neighbours(commitRequests, undefined, isOfSome),
);

/**
 * Commits the events of several requests, each with an operation of its own; each is announced, and its conflicts retried,
 * as its own request's.
 */
async function commitRequests(requests: readonly Waiting<Told>[]): Promise<Written[][]> {
  const [{ item }] = requests as [Waiting<Told>, ...Waiting<Told>[]];
  const contexts = requests.map(({ context }) => context);
  return runInContext(soonestOf(contexts), () =>
    retryingCollisions(() =>
      commitEachOnce(item.deps.connection, contexts, (session, fresh) =>
        writeRequests(
          fresh.map((at) => requests[at]!),
          session,
        ),
      ),
    ),
  );
}

async function writeRequests(
  requests: readonly Waiting<Told>[],
  session: Session,
): Promise<Written[][]> {
  const [{ item }] = requests as [Waiting<Told>, ...Waiting<Told>[]];
  const contexts = new Map(
    requests.flatMap(({ item: { drafts }, context }) =>
      drafts.map((draft): [string, Context] => [draft.id, context]),
    ),
  );
  const drafts = requests.flatMap((request) => request.item.drafts);
  const results = (await writeDrafts(item.deps, drafts, { session, contexts })).values();
  return requests.map(({ item: { drafts: own } }) => own.map(() => results.next().value!));
}
