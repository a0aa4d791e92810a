import type { ClientStatus } from '@laurel/contract';
import { Refusal } from '@laurel/errors';
import { createSharedLookups, runInBackground } from '@laurel/lifecycle';
import { type RpcClient, successorsOf } from '@laurel/rpc';

const KNOWN_MAX = 100_000;
/** How long a standing heard of before may stand in while the clients service cannot be asked. */
const FALLBACK_MS = 300_000;
/** How long an answer is waited for that several have asked for. */
const ANSWER_MS = 10_000;

type Outcome = { standing: ClientStatus } | { error: unknown };

export interface Standings {
  /** How a client stands right now; null when the workspace has no such client. */
  of(workspaceId: string, clientId: string): Promise<ClientStatus | null>;
  /** What an event said: an anonymized or deleted client never comes back. */
  gone(clientId: string, standing: 'anonymized' | null): void;
  /** Whom clients became that were merged into another; those that were not are left out. */
  successors(workspaceId: string, clientIds: readonly string[]): Promise<Map<string, string>>;
}

/**
 * Asks the clients service, one call for everybody who waits. That a client is gone is final and is
 * remembered; that one is there is asked again each time, since an operation on a client anonymized a
 * moment ago must be refused. While the clients service is away, what it last said holds.
 */
export function createStandings(
  clients: Pick<RpcClient<'clients'>, 'GetClients' | 'ListSuccessors'>,
  now: () => number = Date.now,
): Standings {
  const gone = new Map<string, 'anonymized' | null>();
  const heard = new Map<string, { standing: ClientStatus; until: number }>();

  function hear(key: string, standing: ClientStatus): ClientStatus {
    if (heard.size >= KNOWN_MAX) heard.delete(heard.keys().next().value!);
    heard.set(key, { standing, until: now() + FALLBACK_MS });
    return standing;
  }

  /** What is known of a client where its service did not answer: of each for itself, whichever others were asked about beside it. */
  function lastHeard(key: string, error: unknown): Outcome {
    const last = heard.get(key);
    const unavailable = !(error instanceof Refusal) || error.httpStatus === 503;
    return unavailable && last && last.until >= now() ? { standing: last.standing } : { error };
  }

  async function readWorkspace(
    workspaceId: string,
    clientIds: readonly string[],
  ): Promise<[string, Outcome][]> {
    const keyOf = (id: string): string => `${workspaceId}/${id}`;
    try {
      const reply = await clients.GetClients({ workspace_id: workspaceId, ids: [...clientIds] });
      return reply.clients.map(({ id, status }) => [
        keyOf(id),
        { standing: hear(keyOf(id), status as ClientStatus) },
      ]);
    } catch (error) {
      return clientIds.map((id) => [keyOf(id), lastHeard(keyOf(id), error)]);
    }
  }

  const ask = createSharedLookups<string, Outcome>(async (keys) => {
    const byWorkspace = new Map<string, string[]>();
    for (const key of keys) {
      const [workspaceId, clientId] = key.split('/') as [string, string];
      byWorkspace.set(workspaceId, [...(byWorkspace.get(workspaceId) ?? []), clientId]);
    }
    // Not in the time of the one that happened to come first: the answer is for all of them.
    const answers = await runInBackground(
      'ledger.standings',
      () => Promise.all([...byWorkspace].map((one) => readWorkspace(...one))),
      { deadlineAt: Date.now() + ANSWER_MS },
    );
    return new Map(answers.flat());
  });

  return {
    async of(workspaceId, clientId) {
      const end = gone.get(clientId);
      if (end !== undefined) return end;
      const outcome = await ask(`${workspaceId}/${clientId}`);
      if (outcome && 'error' in outcome) throw outcome.error;
      return outcome?.standing ?? null;
    },
    gone(clientId, standing) {
      if (gone.size >= KNOWN_MAX) gone.delete(gone.keys().next().value!);
      gone.set(clientId, standing);
    },
    successors: (workspaceId, clientIds) => successorsOf(clients, workspaceId, clientIds),
  };
}
