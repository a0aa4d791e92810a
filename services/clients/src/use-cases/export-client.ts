import type { Json } from '@laurel/errors';
import { listText, personExport, shown } from '@laurel/mongo';
import { type clients as api, orBeforeUpgrade } from '@laurel/rpc';
import { collections } from '../collections';
import type { Deps, LongHolder } from '../deps';
import { refusals } from '../refusals';
import { addressProofs } from '../store/address-proofs';
import { identities } from '../store/identities';
import { toSnapshot } from '../store/mapping';
import { getTransactionMetrics } from './get-transaction-metrics';
import { toEventReply, toIdentityReply } from './wire';

type ExportDeps = Pick<Deps, 'clients' | 'connection' | 'events' | 'metrics' | 'holders'>;

const exportRows = personExport<Pick<Deps, 'connection'>>(collections, [
  shown(identities, (_deps, rows) => {
    const byProvider = rows.toSorted((a, b) => (a.provider < b.provider ? -1 : 1));
    return { external_identities: byProvider.map(toIdentityReply) as unknown as Json };
  }),
  shown(addressProofs, (_deps, [proof]) => ({
    address_proven_at:
      proof?.proven_at && !proof.withdrawn_at ? proof.proven_at.toISOString() : null,
  })),
]);

/** What this service holds of a person, but for the trail. */
export async function exportClient(
  deps: ExportDeps,
  request: api.ClientRequest,
): Promise<api.ClientDocument> {
  const { workspace_id: workspaceId, client_id: clientId } = request;
  const client = await deps.clients.find(workspaceId, clientId);
  if (!client) throw refusals.clientNotFound();
  const { data } = await exportRows(deps, request);
  const { metrics } = await getTransactionMetrics(deps, {
    workspace_id: workspaceId,
    client_ids: [clientId],
  });
  return {
    data: {
      client: toSnapshot(client) as unknown as Json,
      ...data,
      metrics: metrics[0] as unknown as Json,
    },
  };
}

/**
 * Everything held on a person by every service, as the text of one JSON document. The other services
 * are asked first, so that one that is away refuses the whole rather than leaving a gap.
 */
export async function* exportPerson(
  deps: ExportDeps,
  request: api.ClientRequest,
): AsyncIterable<api.TextChunk> {
  const own = await exportClient(deps, request);
  const holders = Object.entries(deps.holders);
  const others = await Promise.all(
    holders.flatMap(([section, holder]) =>
      'ExportClient' in holder
        ? [holder.ExportClient(request).then(({ data }) => [section, data] as const)]
        : [],
    ),
  );
  const long = holders.flatMap(([section, holder]) =>
    'StreamClientExport' in holder ? [{ section, pieces: piecesOf(holder, request) }] : [],
  );
  try {
    const begun = await Promise.all(
      long.map(async (one) => ({ ...one, first: await one.pieces.next() })),
    );
    const sections = { ...(own.data as object), ...Object.fromEntries(others) };
    const opening = Object.entries(sections).map(
      ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value ?? null)}`,
    );
    yield { text: `{"data":{${opening.join(',')}` };
    for (const { section, first, pieces } of begun) {
      yield { text: `,${JSON.stringify(section)}:` };
      for (let piece = first; !piece.done; piece = await pieces.next()) yield piece.value;
    }
    yield { text: ',"events":' };
    yield* listText(eventsOf(deps, request));
    yield { text: '}}\n' };
  } finally {
    await Promise.all(long.map(({ pieces }) => pieces.return(undefined)));
  }
}

/** As long as any other service is waited for. */
const FIRST_PIECE_MS_MAX = 10_000;

async function* piecesOf(
  holder: LongHolder,
  request: api.ClientRequest,
): AsyncGenerator<api.TextChunk, void> {
  try {
    yield* holder.StreamClientExport(request, { withinMs: FIRST_PIECE_MS_MAX });
  } catch (error) {
    const whole = orBeforeUpgrade(Promise.reject<never>(error), () => holder.inOneMessage(request));
    yield { text: JSON.stringify((await whole).data ?? null) };
  }
}

async function* eventsOf(
  { events }: ExportDeps,
  { workspace_id, client_id }: api.ClientRequest,
): AsyncIterable<Json> {
  for await (const event of events.streamOfClient(workspace_id, client_id))
    yield toEventReply(event) as unknown as Json;
}
