import { createSharedLookups, createSharedReads, runInBackground } from '@laurel/lifecycle';
import type { clients as clientsApi } from '@laurel/rpc';
import { LRUCache } from 'lru-cache';
import type { PassDeps, WalletDeps } from '../deps';

type Shared = Pick<WalletDeps, 'clients' | 'credentials' | 'identity' | 'templates' | 'tiers'>;
type LookUp = (id: string) => Promise<clientsApi.Client | undefined>;

/** Nobody waits longer for an answer, whoever asked first. */
const ANSWER_MS = 10_000;
const WORKSPACES_MAX = 200;

/**
 * What passes are drawn from, asked once for all that are drawn at the same moment (docs/adr/0027): who asks while an
 * answer is on its way shares the next one, so that every answer was given after its question. Only for the job that
 * draws many; a person's own request asks for itself, in its own time.
 */
export function sharingSources<Deps extends Shared>(deps: Deps): Deps {
  const { clients, credentials, identity, templates, tiers } = deps;
  const lookUps = new LRUCache<string, LookUp>({ max: WORKSPACES_MAX });
  const clientOf = (workspaceId: string, id: string) => {
    const lookUp = lookUps.get(workspaceId) ?? clientsOf({ clients }, workspaceId);
    lookUps.set(workspaceId, lookUp);
    return lookUp(id);
  };
  const workspaceOf = createSharedReads((workspace_id: string) =>
    forAll(() => identity.GetWorkspace({ workspace_id })),
  );
  const tiersOf = createSharedReads((workspace_id: string) =>
    forAll(() => tiers.ListTiers({ workspace_id })),
  );
  return {
    ...deps,
    clients: {
      ...clients,
      GetClients: async (request: Parameters<typeof clients.GetClients>[0]) => {
        const [id] = request.ids;
        if (request.ids.length !== 1 || id === undefined) return clients.GetClients(request);
        const found = await clientOf(request.workspace_id, id);
        return { clients: found ? [found] : [] };
      },
    },
    identity: { ...identity, GetWorkspace: ({ workspace_id }) => workspaceOf(workspace_id) },
    tiers: { ...tiers, ListTiers: ({ workspace_id }) => tiersOf(workspace_id) },
    credentials: {
      ...credentials,
      apple: createSharedReads((workspaceId: string) => credentials.apple(workspaceId)),
      google: createSharedReads((workspaceId: string) => credentials.google(workspaceId)),
    },
    templates: {
      ...templates,
      find: sharedTemplates(templates),
    },
  };
}

function sharedTemplates(templates: PassDeps['templates']): PassDeps['templates']['find'] {
  const shared = createSharedReads((workspaceId: string, id: string) =>
    templates.find(workspaceId, id),
  );
  return (workspaceId, id, session) =>
    session ? templates.find(workspaceId, id, session) : shared(workspaceId, id);
}

const clientsOf = ({ clients }: Pick<PassDeps, 'clients'>, workspace_id: string): LookUp =>
  createSharedLookups<string, clientsApi.Client>(async (ids) => {
    const found = await forAll(() => clients.GetClients({ workspace_id, ids: [...ids] }));
    return new Map(found.clients.map((client) => [client.id, client]));
  });

/** In nobody's name and time: the answer is for several. */
const forAll = <T>(ask: () => Promise<T>): Promise<T> =>
  runInBackground('passes.sources', ask, { deadlineAt: Date.now() + ANSWER_MS });
