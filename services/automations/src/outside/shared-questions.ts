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
  const found = aboutClients(async (about: { workspace_id: string }, ids) => {
    const reply = await clients.GetClients({ ...about, ids });
    return reply.clients.map((client) => [client.id, client]);
  });
  const succeeded = aboutClients(async (about: { workspace_id: string }, ids) => {
    const { successors } = await clients.ListSuccessors({ ...about, ids });
    return successors.map((one) => [one.id, one]);
  });
  const spending = aboutClients(async (about: Of<'clients', 'GetTransactionMetrics'>, ids) => {
    const { metrics } = await clients.GetTransactionMetrics({ ...about, client_ids: ids });
    return metrics.map((one) => [one.client_id, one]);
  });
  const placed = aboutClients(async (about: Of<'tiers', 'GetClientTiers'>, ids) => {
    const { placements } = await tiers.GetClientTiers({ ...about, client_ids: ids });
    return placements.map((one) => [one.client_id, one]);
  });
  const completed = aboutClients(async (about: Of<'referrals', 'CountCompleted'>, ids) => {
    const { counts } = await referrals.CountCompleted({ ...about, client_ids: ids });
    return counts.map((one) => [one.client_id, one]);
  });
  return {
    clients: {
      ...clients,
      GetClients: ({ ids, ...about }) =>
        isOfOne(ids)
          ? found(about, ids).then((own) => ({ clients: own }))
          : clients.GetClients({ ...about, ids }),
      GetTransactionMetrics: ({ client_ids: ids, ...about }) =>
        isOfOne(ids)
          ? spending(about, ids).then((metrics) => ({ metrics }))
          : clients.GetTransactionMetrics({ ...about, client_ids: ids }),
      ListSuccessors: ({ ids, ...about }) =>
        isOfOne(ids)
          ? succeeded(about, ids).then((successors) => ({ successors }))
          : clients.ListSuccessors({ ...about, ids }),
      ListFields: aboutWorkspace((request) => clients.ListFields(request)),
    },
    identity: { GetWorkspace: aboutWorkspace((request) => identity.GetWorkspace(request)) },
    referrals: {
      ...referrals,
      CountCompleted: ({ client_ids: ids, ...about }) =>
        isOfOne(ids)
          ? completed(about, ids).then((counts) => ({ counts }))
          : referrals.CountCompleted({ ...about, client_ids: ids }),
    },
    tiers: {
      ...tiers,
      GetClientTiers: ({ client_ids: ids, ...about }) =>
        isOfOne(ids)
          ? placed(about, ids).then((placements) => ({ placements }))
          : tiers.GetClientTiers({ ...about, client_ids: ids }),
      ListTiers: aboutWorkspace((request) => tiers.ListTiers(request)),
    },
  };
}

/** What is asked of clients beside who they are. */
type Of<Peer extends keyof Peers, Name extends keyof Peers[Peer]> = Omit<
  Parameters<Extract<Peers[Peer][Name], (...args: never[]) => unknown>>[0],
  'client_ids'
>;

const isOfOne = (ids: readonly string[]): boolean =>
  ids.length === 1 && currentContext().background === true;

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

/**
 * Answers about one client, asked for with those about others of whom the same is asked: of the same workspace, and until
 * the same moment, say, as in a run of a rule.
 */
function aboutClients<About extends object, Answer>(
  ask: (about: About, clientIds: string[]) => Promise<[string, Answer][]>,
): (about: About, clientIds: readonly string[]) => Promise<Answer[]> {
  const open = new Map<string, { askers: number; lookUp: LookUp<Answer> }>();

  function opened(about: About): { askers: number; lookUp: LookUp<Answer> } {
    const lookUp = createSharedLookups<string, Answer>(
      async (ids) => new Map(await forAll(() => ask(about, [...ids]))),
    );
    return { askers: 0, lookUp };
  }

  return async (about, [clientId = '']) => {
    const name = JSON.stringify(about);
    const same = open.get(name) ?? opened(about);
    open.set(name, same);
    same.askers += 1;
    try {
      const answer = await same.lookUp(clientId);
      return answer === undefined ? [] : [answer];
    } finally {
      same.askers -= 1;
      if (same.askers === 0) open.delete(name);
    }
  };
}

type LookUp<Answer> = (clientId: string) => Promise<Answer | undefined>;
