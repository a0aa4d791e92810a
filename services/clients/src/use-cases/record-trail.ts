import { invalidField } from '@laurel/errors';
import { retryingCollisions, unitOfWork } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import { toDecimal, ZERO } from '@laurel/values/amount';
import type { Deps, WorkspaceUnit } from '../deps';
import type { TrailEvent } from '../domain/trail-event';
import { cutToRest } from './link-refunds';
import { lookUpPasses } from './look-up-passes';
import { draftOf } from './record-events';
import { attributeAll, writeTrail } from './write-trail';

/** Records what happened on the side of another service. What is there already is passed over. */
export async function recordTrail(
  deps: Deps,
  { workspace_id: workspaceId, entries }: api.RecordTrailRequest,
): Promise<api.RecordedTrail> {
  const drafts = new Map<string, TrailEvent>();
  const untold = new Set(entries.filter((entry) => entry.untold).map(({ id }) => id));
  const rests = new Set(entries.filter((entry) => entry.rest_of_sale).map(({ id }) => id));
  for (const draft of await toDrafts(deps, workspaceId, entries)) drafts.set(draft.id, draft);
  return retryingCollisions(() =>
    unitOfWork(deps.connection, async (session) => {
      const known = await deps.events.findMany(workspaceId, [...drafts.keys()], session);
      const unit = { workspaceId, session };
      const unknown = [...drafts.values()].filter((draft) => !known.has(draft.id));
      const fresh = await cutToRests(deps, unit, { drafts: unknown, rests });
      const written = await writeTrail(deps, unit, { drafts: fresh, untold });
      const added = written.filter(({ repeated }) => !repeated).map(({ event }) => event.id);
      const stored = [
        ...known,
        ...fresh.map(({ id }, index) => [id, written[index]!.event] as const),
      ];
      return {
        recorded: added.length,
        stored_ids: [...known.keys(), ...added],
        refund_links: stored.flatMap(([id, { refund_link: link, amount }]) =>
          link ? [{ id, state: link.state, amount: toDecimal(amount ?? ZERO) }] : [],
        ),
      };
    }),
  );
}

/** What is to be written where some refunds give back no more than the rest of their sale: those of which nothing is left are not. */
async function cutToRests(
  deps: Deps,
  unit: WorkspaceUnit,
  { drafts, rests }: { drafts: readonly TrailEvent[]; rests: ReadonlySet<string> },
): Promise<TrailEvent[]> {
  if (rests.size === 0) return [...drafts];
  const cut: TrailEvent[] = [];
  for (const draft of await attributeAll(deps, unit, drafts)) {
    const mayBeLess = rests.has(draft.id) && draft.client_id !== null;
    const refund = mayBeLess ? await cutToRest(deps, unit, draft) : draft;
    if (refund) cut.push(refund);
  }
  return cut;
}

/** An entry that names only a pass is about the pass's holder. */
async function toDrafts(
  deps: Deps,
  workspaceId: string,
  entries: readonly api.TrailEntry[],
): Promise<TrailEvent[]> {
  const passIds = entries.map((entry) => entry.pass_id).filter((id) => id !== undefined);
  const found = await lookUpPasses(deps, passIds);
  const holders = new Map(
    found
      .filter((pass) => pass.workspaceId === workspaceId)
      .map((pass) => [pass.passId, pass.clientId]),
  );
  return entries.map((entry) => {
    const { id, client_id: clientId, pass_id: passId, event_timestamp: at } = entry;
    if (clientId === undefined && passId === undefined) {
      throw invalidField('client_id', 'client_id or pass_id is required');
    }
    return draftOf(entry, {
      id,
      workspaceId,
      clientId: clientId ?? holders.get(passId!) ?? null,
      passId: passId ?? null,
      clientName: null,
      timestamp: at === undefined ? deps.clock.now() : new Date(at),
      source: entry.source,
    });
  });
}
