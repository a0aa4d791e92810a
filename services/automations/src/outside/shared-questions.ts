import {
  createSharedLookups,
  createSharedReads,
  currentContext,
  runInBackground,
} from '@laurel/lifecycle';
import type { Deps } from '../deps';

/** No caller waits longer for an answer, also where another asked first. */
const ANSWER_MS = 10_000;

type Peers = Pick<Deps, 'clients' | 'identity' | 'referrals' | 'tiers'>;

/**
 * The services that rules ask about a client and its workspace, each asked once for all events that are decided at the
 * same moment: who asks while an answer is on its way shares the next one, so that every answer was given after its
 * question. Only for events: a person's own request asks for itself, in its own time.
 */
export function sharingQuestions({ clients, identity, referrals, tiers }: Peers): Peers {
  const found = aboutClients(async (workspace_id, ids) => {
    const reply = await clients.GetClients({ workspace_id, ids });
    return reply.clients.map((client) => [client.id, client]);
  });
  const succeeded = aboutClients(async (workspace_id, ids) => {
    const { successors } = await clients.ListSuccessors({ workspace_id, ids });
    return successors.map((one) => [one.id, one]);
  });
  const spending = aboutClients(async (workspace_id, client_ids) => {
    const { metrics } = await clients.GetTransactionMetrics({ workspace_id, client_ids });
    return metrics.map((one) => [one.client_id, one]);
  });
  const placed = aboutClients(async (workspace_id, client_ids) => {
    const { placements } = await tiers.GetClientTiers({ workspace_id, client_ids });
    return placements.map((one) => [one.client_id, one]);
  });
  const completed = aboutClients(async (workspace_id, client_ids) => {
    const { counts } = await referrals.CountCompleted({ workspace_id, client_ids });
    return counts.map((one) => [one.client_id, one]);
  });
  return {
    clients: {
      ...clients,
      GetClients: (request) =>
        isOfOne(request.ids)
          ? found(request.workspace_id, request.ids).then((own) => ({ clients: own }))
          : clients.GetClients(request),
      GetTransactionMetrics: (request) =>
        isOfOne(request.client_ids) && isPlain(request)
          ? spending(request.workspace_id, request.client_ids).then((metrics) => ({ metrics }))
          : clients.GetTransactionMetrics(request),
      ListSuccessors: (request) =>
        isOfOne(request.ids)
          ? succeeded(request.workspace_id, request.ids).then((successors) => ({ successors }))
          : clients.ListSuccessors(request),
      ListFields: aboutWorkspace((request) => clients.ListFields(request)),
    },
    identity: { GetWorkspace: aboutWorkspace((request) => identity.GetWorkspace(request)) },
    referrals: {
      ...referrals,
      CountCompleted: (request) =>
        isOfOne(request.client_ids) && isPlain(request)
          ? completed(request.workspace_id, request.client_ids).then((counts) => ({ counts }))
          : referrals.CountCompleted(request),
    },
    tiers: {
      ...tiers,
      GetClientTiers: (request) =>
        isOfOne(request.client_ids)
          ? placed(request.workspace_id, request.client_ids).then((placements) => ({ placements }))
          : tiers.GetClientTiers(request),
      ListTiers: aboutWorkspace((request) => tiers.ListTiers(request)),
    },
  };
}

const isOfOne = (ids: readonly string[]): boolean =>
  ids.length === 1 && currentContext().background === true;

/** Asks for nothing but a workspace and clients, not, say, since when. */
const isPlain = (request: object): boolean => Object.keys(request).length === 2;

/** In no caller's name and time: the answer is for several. */
const forAll = <T>(ask: () => Promise<T>): Promise<T> =>
  runInBackground('automations.questions', ask, { deadlineAt: Date.now() + ANSWER_MS });

function aboutWorkspace<Request extends { workspace_id: string }, Reply>(
  ask: (request: Request) => Promise<Reply>,
): (request: Request) => Promise<Reply> {
  const shared = createSharedReads((asked: string) =>
    forAll(() => ask(JSON.parse(asked) as Request)),
  );
  return (request) =>
    currentContext().background ? shared(JSON.stringify(request)) : ask(request);
}

type Outcome<Answer> = { answer: Answer | undefined } | { error: unknown };

/** Answers about one client, asked for with those about others of its workspace. What is refused to one workspace is so to it alone. */
function aboutClients<Answer>(
  ask: (workspaceId: string, clientIds: string[]) => Promise<[string, Answer][]>,
): (workspaceId: string, clientIds: readonly string[]) => Promise<Answer[]> {
  const lookUp = createSharedLookups<string, Outcome<Answer>>(async (keys) => {
    const byWorkspace = new Map<string, string[]>();
    for (const key of keys) {
      const [workspaceId = '', clientId = ''] = JSON.parse(key) as string[];
      byWorkspace.set(workspaceId, [...(byWorkspace.get(workspaceId) ?? []), clientId]);
    }
    const outcomes = await Promise.all(
      [...byWorkspace].map(async ([workspaceId, ids]) => {
        const outcomeOf = await forAll(() => ask(workspaceId, ids)).then(
          (rows) => {
            const answers = new Map(rows);
            return (id: string): Outcome<Answer> => ({ answer: answers.get(id) });
          },
          (error: unknown) => (): Outcome<Answer> => ({ error }),
        );
        return ids.map((id) => [JSON.stringify([workspaceId, id]), outcomeOf(id)] as const);
      }),
    );
    return new Map(outcomes.flat());
  });
  return async (workspaceId, [clientId]) => {
    const outcome = await lookUp(JSON.stringify([workspaceId, clientId]));
    if (outcome === undefined) return [];
    if ('error' in outcome) throw outcome.error;
    return outcome.answer === undefined ? [] : [outcome.answer];
  };
}
