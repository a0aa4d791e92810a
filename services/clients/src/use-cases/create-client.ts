import { type CloudEvent, createEvent, isOutage } from '@laurel/events';
import {
  Neighbours,
  neighboursPer,
  newId,
  runInContext,
  soonestOf,
  type Waiting,
} from '@laurel/lifecycle';
import { commitEachOnce, commitOnce, repeatable, type Session } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type Client, newClient } from '../domain/client';
import { toNews, toSnapshot } from '../store/mapping';
import { fieldsOf } from './client-fields';
import { refusingTakenEmail } from './refusing-taken-email';
import { requireValidCustomFields } from './require-valid-custom-fields';

type WriteDeps = Pick<Deps, 'connection' | 'clients' | 'outbox'>;

/** A client that is to be, and what is announced of it. */
interface Creation {
  deps: WriteDeps;
  client: Client;
  created: CloudEvent;
}

/**
 * Creates a client. A taken e-mail address is refused, also when two take it at once. Those of one workspace that come
 * while others are being written are written together, in one transaction.
 */
export async function createClient(
  deps: WriteDeps & Pick<Deps, 'fields' | 'clock'>,
  request: api.CreateClientRequest,
): Promise<api.Client> {
  const { workspace_id: workspaceId } = request;
  const fields = fieldsOf(request);
  const authorship = { source: request.consent_source ?? 'api', now: deps.clock.now() };
  const client = newClient({ id: newId(), workspaceId }, fields, authorship);
  const about = { workspaceId, subject: client.id, data: toNews(client) };
  const created = createEvent('clients.created', about);
  return refusingTakenEmail(() =>
    repeatable(deps.connection, async () => {
      await requireValidCustomFields(deps, workspaceId, fields.custom_fields);
      return neighboursOf(deps.connection).run(workspaceId, { deps, client, created });
    }),
  );
}

const neighboursOf = neighboursPer(
  (): Neighbours<Creation, api.Client> => new Neighbours(commitCreations, undefined, isOfOne),
);

/** What is no outage is the fault of some. What became of a commit may be unknown in one: that is never tried again here. */
const isOfOne = (error: unknown): boolean => !isOutage(error);

async function commitCreations(waiting: readonly Waiting<Creation>[]): Promise<api.Client[]> {
  const [{ item, context }] = waiting as [Waiting<Creation>, ...Waiting<Creation>[]];
  const { deps } = item;
  const contexts = waiting.map((one) => one.context);
  const write = async (creations: readonly Creation[], session: Session): Promise<api.Client[]> => {
    await deps.clients.insertAll(
      creations.map(({ client }) => client),
      session,
    );
    await deps.outbox.append(
      creations.map(({ created }) => created),
      session,
    );
    return creations.map(({ client }) => toSnapshot(client));
  };
  if (waiting.length === 1)
    return runInContext(context, async () => [
      await commitOnce(deps.connection, async (session) => (await write([item], session))[0]!),
    ]);
  return runInContext(soonestOf(contexts), () =>
    commitEachOnce(deps.connection, contexts, (session, fresh) =>
      write(
        fresh.map((at) => waiting[at]!.item),
        session,
      ),
    ),
  );
}
