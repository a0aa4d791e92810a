import { invalidField } from '@laurel/errors';
import { retryingCollisions, unitOfWork } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { TrailEvent } from '../domain/trail-event';
import { lookUpPasses } from './look-up-passes';
import { draftOf } from './record-events';
import { writeTrail } from './write-trail';

/** Records what happened on the side of another service. What is there already is passed over. */
export async function recordTrail(
  deps: Deps,
  { workspace_id: workspaceId, entries }: api.RecordTrailRequest,
): Promise<api.RecordedTrail> {
  const drafts = new Map<string, TrailEvent>();
  const untold = new Set(entries.filter((entry) => entry.untold).map(({ id }) => id));
  for (const draft of await toDrafts(deps, workspaceId, entries)) drafts.set(draft.id, draft);
  return retryingCollisions(() =>
    unitOfWork(deps.connection, async (session) => {
      const known = await deps.events.findMany(workspaceId, [...drafts.keys()], session);
      const fresh = [...drafts.values()].filter((draft) => !known.has(draft.id));
      const unit = { workspaceId, session };
      const written = await writeTrail(deps, unit, { drafts: fresh, untold });
      const added = written.filter(({ repeated }) => !repeated).map(({ event }) => event.id);
      const stored = [
        ...known,
        ...fresh.map(({ id }, index) => [id, written[index]!.event] as const),
      ];
      return {
        recorded: added.length,
        stored_ids: [...known.keys(), ...added],
        refund_links: stored.flatMap(([id, { refund_link: link }]) =>
          link ? [{ id, state: link.state }] : [],
        ),
      };
    }),
  );
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
