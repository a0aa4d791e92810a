import { createAuthCache, createPortalLinks, createTokens } from '@laurel/auth-cache';
import { connectRedis, type Redis } from '@laurel/backend';
import { platform } from '@laurel/errors';
import { createOutbox, inboxIndexes } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { createMessageQueue, type Outgoing, queuedMessages } from '@laurel/mail';
import type { clients, identity } from '@laurel/rpc';
import {
  silentLogger,
  testClock,
  testServers,
  testStore,
  until,
  workOffJob,
} from '@laurel/testing';
import { collections } from '../collections';
import { createStores, type Deps } from '../deps';
import { jobs } from '../jobs';
import { createClockPeers } from '../outside/clock-peers';
import { createClonePeers } from '../outside/clone-peers';
import { createFailureLimit } from '../outside/failure-limit';
import { createLoginFailures } from '../outside/login-failures';
import { createPasswords } from '../outside/passwords';
import { createSignOnProvider } from '../outside/sign-on-provider';
import { createWorkspace } from '../use-cases/create-workspace';
import { login } from '../use-cases/login';
import { register } from '../use-cases/register';

export const PASSWORD = 'a long enough passphrase';

export interface IdentityUnderTest {
  deps: Deps;
  redis: Redis;
  clock: ReturnType<typeof testClock>;
  /** Whom the clients service knows; tests fill it. */
  clients: Map<string, clients.Client>;
  /** What was sent so far, after everything due has left. */
  sent(): Promise<Outgoing[]>;
  newUser(email?: string): Promise<identity.User>;
  newWorkspace(owner: identity.User): Promise<identity.Workspace>;
  signIn(email: string): Promise<identity.Tokens>;
  /** Removes what the TTL indexes let the store remove by now. */
  expire(): Promise<void>;
  stop(): Promise<void>;
}

const CONFIG: Deps['config'] = {
  publicUrl: 'http://localhost',
  jwtSecret: 'a secret of more than 32 characters',
  allowRegistration: true,
  sandboxesMax: 50,
  mobileSessionDays: 30,
  auditLogDays: 730,
  bootstrapAdminEmail: undefined,
  smtpUrl: undefined,
};

/** The service's stores and use cases on a database of its own, with a clock that the test moves. */
export async function identityUnderTest(overrides: Partial<Deps> = {}): Promise<IdentityUnderTest> {
  const store = await testStore([...collections, inboxIndexes]);
  const redis = await connectRedis(testServers().redisUrl, silentLogger);
  const clock = testClock(new Date().toISOString());
  const outgoing: Outgoing[] = [];
  const clients = new Map<string, clients.Client>();
  const { connection } = store;
  const messages = createMessageQueue(
    connection,
    async (each) => void outgoing.push(each),
    silentLogger,
  );
  const { jwtSecret } = CONFIG;
  const deps: Deps = {
    config: CONFIG,
    logger: silentLogger,
    clock,
    outbox: createOutbox(connection),
    orphans: { look: async () => undefined, forget: async () => [] },
    ...createStores(connection, jwtSecret),
    cache: createAuthCache(redis),
    tokens: createTokens(jwtSecret),
    portalLinks: createPortalLinks(jwtSecret),
    clients: clientsService(clients),
    ledger: noLedger,
    passwords: await createPasswords(4),
    messages,
    loginFailures: createLoginFailures(redis, `login:${store.database}`, {
      perPair: 1_000,
      perAccount: 1_000,
      perAddress: 1_000,
    }),
    pairFailures: createFailureLimit(redis, `pair:${store.database}`, 1_000),
    clockPeers: createClockPeers([]),
    clonePeers: createClonePeers([]),
    google: createSignOnProvider({ clientId: undefined, jwksUrl: '', issuer: '' }),
    ...overrides,
  };
  return {
    deps,
    redis,
    clock,
    clients,
    sent: async () => {
      const own = ['send-password-resets', 'send-portal-codes'];
      for (const job of [...own, ...messages.jobs.map(({ name }) => name)])
        await workOffJob(jobs(deps), job);
      // The commit has woken the queue too: what it has claimed is on its way.
      const waiting = () => connection.collection(queuedMessages.collection).countDocuments();
      await until(async () => (await waiting()) === 0, { what: 'every message to leave' });
      return outgoing;
    },
    newUser: (email = `user-${newId()}@example.com`) =>
      register(deps, { email, password: PASSWORD }),
    newWorkspace: (owner) => createWorkspace(deps, { user_id: owner.id, name: 'Coffee Corner' }),
    signIn: (email) => login(deps, { email, password: PASSWORD, ip: '192.0.2.1' }),
    expire: () => store.expire(clock.now()),
    stop: async () => {
      redis.destroy();
      await store.drop();
    },
  };
}

/** What identity asks of the clients service. */
function clientsService(known: ReadonlyMap<string, clients.Client>): Deps['clients'] {
  const proofs = new Map<string, number>();
  const inWorkspace = (workspaceId: string) =>
    [...known.values()].filter(({ workspace_id }) => workspace_id === workspaceId);
  return {
    GetClient: async ({ workspace_id, id }) => {
      const client = inWorkspace(workspace_id).find((each) => each.id === id);
      if (!client) throw platform.recordNotFound();
      return client;
    },
    GetClientStanding: async ({ client_id }) => {
      const proven = proofs.get(client_id);
      const standing = { status: 'active', loyalty_program_enabled: true };
      if (proven === undefined) return standing;
      return { ...standing, address_proven_at: proven, sessions_since: proven };
    },
    NoteAddressProof: async ({ client_id }) => {
      const proven_at = proofs.get(client_id) ?? Date.now();
      proofs.set(client_id, proven_at);
      return { proven_at, came_by_form: true };
    },
    FindClientBy: async ({ workspace_id, email }) => {
      const wanted = email?.toLowerCase();
      const client = inWorkspace(workspace_id).find((each) => each.email?.toLowerCase() === wanted);
      return client ? { client } : {};
    },
    ListClients: async ({ workspace_id }) => {
      const clients = inWorkspace(workspace_id);
      return { clients, total: clients.length, next_cursor: null };
    },
    CreateClient: asked,
  };
}

/** The refusal's code, or `done` when there is none. */
export async function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? 'fault',
  );
}

const asked = () => Promise.reject(new Error('nobody asks for it here'));
/** Tests that book points bring one of their own. */
const noLedger: Deps['ledger'] = { AdjustPoints: asked, EarnPoints: asked, ListBalances: asked };
