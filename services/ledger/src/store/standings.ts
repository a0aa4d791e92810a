import type { ClientStatus } from '@laurel/contract';
import { Refusal } from '@laurel/errors';
import { createSharedLookups } from '@laurel/lifecycle';
import type { RpcClient } from '@laurel/rpc';

const KNOWN_MAX = 100_000;
/** How long a standing heard of before may stand in while the clients service cannot be asked. */
const FALLBACK_MS = 300_000;

export interface Standings {
  /** How a client stands right now; null when the workspace has no such client. */
  of(workspaceId: string, clientId: string): Promise<ClientStatus | null>;
  /** What an event said: an anonymized or deleted client never comes back. */
  gone(clientId: string, standing: 'anonymized' | null): void;
}

/**
 * Asks the clients service, one call for everybody who waits. That a client is gone is final and is
 * remembered; that one is there is asked again each time, since an operation on a client anonymized a
 * moment ago must be refused. While the clients service is away, what it last said holds.
 */
export function createStandings(
  clients: Pick<RpcClient<'clients'>, 'GetClients'>,
  now: () => number = Date.now,
): Standings {
  const gone = new Map<string, 'anonymized' | null>();
  const heard = new Map<string, { standing: ClientStatus; until: number }>();

  function hear(key: string, standing: ClientStatus): ClientStatus {
    if (heard.size >= KNOWN_MAX) heard.delete(heard.keys().next().value!);
    heard.set(key, { standing, until: now() + FALLBACK_MS });
    return standing;
  }

  async function readWorkspace(
    workspaceId: string,
    clientIds: readonly string[],
  ): Promise<[string, ClientStatus][]> {
    const keyOf = (id: string): string => `${workspaceId}/${id}`;
    try {
      const reply = await clients.GetClients({ workspace_id: workspaceId, ids: [...clientIds] });
      return reply.clients.map(({ id, status }) => [
        keyOf(id),
        hear(keyOf(id), status as ClientStatus),
      ]);
    } catch (error) {
      const known = clientIds.map((id) => [keyOf(id), heard.get(keyOf(id))] as const);
      const unavailable = !(error instanceof Refusal) || error.httpStatus === 503;
      if (!unavailable || known.some(([, last]) => !last || last.until < now())) throw error;
      return known.map(([key, last]) => [key, last!.standing]);
    }
  }

  const ask = createSharedLookups<string, ClientStatus>(async (keys) => {
    const byWorkspace = new Map<string, string[]>();
    for (const key of keys) {
      const [workspaceId, clientId] = key.split('/') as [string, string];
      byWorkspace.set(workspaceId, [...(byWorkspace.get(workspaceId) ?? []), clientId]);
    }
    const answers = await Promise.all(
      [...byWorkspace].map(([workspaceId, ids]) => readWorkspace(workspaceId, ids)),
    );
    return new Map(answers.flat());
  });

  return {
    async of(workspaceId, clientId) {
      const end = gone.get(clientId);
      if (end !== undefined) return end;
      return (await ask(`${workspaceId}/${clientId}`)) ?? null;
    },
    gone(clientId, standing) {
      if (gone.size >= KNOWN_MAX) gone.delete(gone.keys().next().value!);
      gone.set(clientId, standing);
    },
  };
}
