import { createSharedLookups, createSharedReads, runInBackground } from '@laurel/lifecycle';
import type { clients as clientsApi, ledger as ledgerApi, tiers as tiersApi } from '@laurel/rpc';
import { LRUCache } from 'lru-cache';
import type { PassDeps, WalletDeps } from '../deps';

type Shared = Pick<
  WalletDeps,
  'clients' | 'credentials' | 'identity' | 'images' | 'ledger' | 'templates' | 'tiers'
>;
type LookUp<Value> = (id: string) => Promise<Value | undefined>;

/** No caller waits longer for an answer, whichever asked first. */
const ANSWER_MS = 10_000;
const WORKSPACES_MAX = 200;

/**
 * What passes are drawn from, asked once for all that are drawn at the same moment (docs/adr/0027): who asks while an
 * answer is on its way shares the next one, so that every answer was given after its question. Only for the job that
 * draws many; a person's own request asks for itself, in its own time.
 */
export function sharingSources<Deps extends Shared>(deps: Deps): Deps {
  const { clients, credentials, identity, images, ledger, templates, tiers } = deps;
  const clientOf = ofWorkspaces((workspaceId) => clientsOf({ clients }, workspaceId));
  const balancesOf = ofWorkspaces((workspaceId) => walletsOf({ ledger }, workspaceId));
  const placementOf = ofWorkspaces((workspaceId) => placementsOf({ tiers }, workspaceId));
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
    ledger: {
      ...ledger,
      GetBalances: async ({ workspace_id, client_id }) => ({
        wallets: (await balancesOf(workspace_id, client_id)) ?? [],
        // Nothing of them is drawn.
        inactive_codes: [],
      }),
    },
    tiers: {
      ...tiers,
      ListTiers: ({ workspace_id }) => tiersOf(workspace_id),
      GetClientTiers: async (request: tiersApi.ClientIds) => {
        const [id] = request.client_ids;
        if (request.client_ids.length !== 1 || id === undefined)
          return tiers.GetClientTiers(request);
        const placement = await placementOf(request.workspace_id, id);
        return { placements: placement ? [placement] : [] };
      },
    },
    credentials: {
      ...credentials,
      apple: createSharedReads((workspaceId: string) => credentials.apple(workspaceId)),
      appleAccounts: createSharedReads((workspaceId: string) =>
        credentials.appleAccounts(workspaceId),
      ),
      googleAccounts: createSharedReads((workspaceId: string) =>
        credentials.googleAccounts(workspaceId),
      ),
    },
    images: {
      ...images,
      idOf: createSharedReads((workspaceId: string, source: string) =>
        images.idOf(workspaceId, source),
      ),
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

/** A look-up for each workspace, of those that were asked for last. */
function ofWorkspaces<Value>(
  make: (workspaceId: string) => LookUp<Value>,
): (workspaceId: string, id: string) => Promise<Value | undefined> {
  const lookUps = new LRUCache<string, LookUp<Value>>({ max: WORKSPACES_MAX });
  return (workspaceId, id) => {
    const lookUp = lookUps.get(workspaceId) ?? make(workspaceId);
    lookUps.set(workspaceId, lookUp);
    return lookUp(id);
  };
}

const walletsOf = (
  { ledger }: Pick<WalletDeps, 'ledger'>,
  workspace_id: string,
): LookUp<ledgerApi.WalletOfType[]> =>
  createSharedLookups<string, ledgerApi.WalletOfType[]>(async (ids) => {
    const { wallet_types: types, clients } = await forAll(() =>
      ledger.ListBalances({ workspace_id, client_ids: [...ids] }),
    );
    return new Map(
      clients.map(({ client_id, wallets }) => [
        client_id,
        types.map((wallet_type, at) => ({ wallet: wallets[at]!, wallet_type })),
      ]),
    );
  });

const placementsOf = (
  { tiers }: Pick<WalletDeps, 'tiers'>,
  workspace_id: string,
): LookUp<tiersApi.Placement> =>
  createSharedLookups<string, tiersApi.Placement>(async (ids) => {
    const { placements } = await forAll(() =>
      tiers.GetClientTiers({ workspace_id, client_ids: [...ids] }),
    );
    return new Map(placements.map((placement) => [placement.client_id, placement]));
  });

const clientsOf = (
  { clients }: Pick<PassDeps, 'clients'>,
  workspace_id: string,
): LookUp<clientsApi.Client> =>
  createSharedLookups<string, clientsApi.Client>(async (ids) => {
    const found = await forAll(() => clients.GetClients({ workspace_id, ids: [...ids] }));
    return new Map(found.clients.map((client) => [client.id, client]));
  });

/** In no caller's name and time: the answer is for several. */
const forAll = <T>(ask: () => Promise<T>): Promise<T> =>
  runInBackground('passes.sources', ask, { deadlineAt: Date.now() + ANSWER_MS });
