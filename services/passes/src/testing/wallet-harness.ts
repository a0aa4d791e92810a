import { createPortalLinks } from '@laurel/auth-cache';
import { type CloudEvent, createOutbox } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { createVault } from '@laurel/secrets';
import { silentLogger, type TestStore, testClock, testStore, workOff } from '@laurel/testing';
import { collections } from '../collections';
import { createStores, type WalletDeps } from '../deps';
import { createPassLinks } from '../domain/pass/links';
import { newPass, notifiedPass, type Pass } from '../domain/pass/pass';
import { newTemplate, type Template, type TemplateChanges } from '../domain/template/template';
import type { PushOutcome } from '../outside/apple/push';
import { createPassTokens } from '../outside/apple/token';
import { createCircuits } from '../outside/circuits';
import { makeLocalApple } from '../outside/credentials/make-local';
import type { AppleCredentials } from '../outside/credentials/types';
import { createGoogleApi } from '../outside/google/api';
import { createGoogleCallbacks } from '../outside/google/callback';
import { createCredentialsStore } from '../store/credentials';
import { createCredentials } from '../use-cases/wallet/credentials';
import type { FactSources } from '../use-cases/wallet/gather-card';
import { pushWorker } from '../use-cases/wallet/push-updates';

const SECRET = 'a-secret-of-at-least-32-characters!';
const KEY = Buffer.alloc(32, 2);
const PUBLIC_URL = 'https://laurel.test';
export const PASS_TYPE = 'pass.com.example';
export const GOOGLE = 'https://google.test';

/** Making one is most of a second of a processor, and tests change none: those of a file sign with the same ones. */
const certificates: Promise<AppleCredentials>[] = [];

const certificateAt = (place: number, now: Date): Promise<AppleCredentials> => {
  certificates[place] ??= makeLocalApple(now, { passType: PASS_TYPE });
  return certificates[place];
};

/** Wallets over the real store; the other services, Apple and Google are played here. */
export class Harness {
  readonly workspaceId = newId();
  readonly projectId = newId();
  readonly clock = testClock();
  /** What the ledger says of everybody. */
  points = 0;
  /** Tokens that were pushed to, in order. */
  readonly pushed: string[] = [];
  /** What Apple does with a push; sent unless a test says otherwise. */
  apple: (pushToken: string) => Promise<PushOutcome> = async () => 'sent';
  readonly deps: WalletDeps;
  /** Workspaces beside the first one. */
  private others = 0;

  private constructor(readonly store: TestStore) {
    this.deps = this.depsOver(store.connection);
  }

  static async open(): Promise<Harness> {
    const harness = new Harness(await testStore(collections));
    await harness.putCredentials(0);
    return harness;
  }

  /** The same store, in another workspace with a certificate of its own. */
  async inNewWorkspace(): Promise<Harness> {
    const harness = new Harness(this.store);
    this.others += 1;
    await harness.putCredentials(this.others);
    return harness;
  }

  private async putCredentials(certificate: number): Promise<void> {
    const given = await certificateAt(certificate, this.clock.now());
    const { credentialsStore } = this.deps;
    await credentialsStore.put(this.workspaceId, { wallet: 'apple', given }, this.clock.now());
  }

  close(): Promise<void> {
    return this.store.drop();
  }

  /** A second instance of the service: connections of its own to the same database. */
  async anotherInstance(): Promise<WalletDeps> {
    return this.depsOver(await this.store.connectAgain());
  }

  async newTemplate(fields: TemplateChanges = {}): Promise<Template> {
    const design = { name: 'Card', top_field_label: 'Points', top_field_value: '${wallet.points}' };
    const place = { id: newId(), workspaceId: this.workspaceId, projectId: this.projectId };
    const template = newTemplate(
      { ...place, fields: { ...design, ...fields } },
      { userId: null, now: this.clock.now() },
    );
    const { connection, templates } = this.deps;
    await unitOfWork(connection, (session) => templates.insert(template, session));
    return template;
  }

  async newPass(template: Template): Promise<Pass> {
    const id = newId();
    const now = this.clock.now();
    const pass = newPass(
      {
        id,
        workspace_id: this.workspaceId,
        project_id: this.projectId,
        pass_template_id: template.id,
        client_id: newId(),
        pass_fields: {},
        barcode_value: id,
      },
      { userId: null, now },
    );
    const { connection, passes, passUpdates } = this.deps;
    await unitOfWork(connection, async (session) => {
      await passes.insert(pass, session);
      await passUpdates.insert(this.workspaceId, { passId: id, now }, session);
    });
    return pass;
  }

  /** A call as the phone makes it. */
  call(pass: Pass, device: string) {
    return {
      device_id: device,
      pass_type: PASS_TYPE,
      serial_number: pass.id,
      token: this.deps.passTokens.tokenOf(pass),
      push_token: `token of ${device}`,
    };
  }

  async changePoints(pass: Pass, points: number): Promise<void> {
    this.points = points;
    await this.ask(pass);
  }

  async notify(pass: Pass, notification: string): Promise<void> {
    const { connection, passes } = this.deps;
    await unitOfWork(connection, async (session) => {
      const current = await passes.find(this.workspaceId, pass.id, session);
      await passes.replace(notifiedPass(current!, notification), session);
    });
    await this.ask(pass);
  }

  ask(pass: Pass): Promise<void> {
    const asked = { passIds: [pass.id], now: this.clock.now() };
    return this.deps.passUpdates.ask(this.workspaceId, asked);
  }

  async events(type: string): Promise<CloudEvent[]> {
    const rows = this.store.connection.collection<{ _id: string; event: CloudEvent }>('outbox');
    return (await rows.find({ 'event.type': type }).toArray()).map(({ event }) => event);
  }

  depsOver(connection: TestStore['connection']): WalletDeps {
    const credentialsStore = createCredentialsStore(
      connection,
      createVault(Buffer.alloc(32, 1).toString('base64')),
    );
    const facts = this.facts();
    const deps = {
      ...createStores(connection),
      ...createStores(connection),
      outbox: createOutbox(connection),
      clock: this.clock,
      logger: silentLogger,
      walletsOffered: async () => ({ apple: true, google: true }),
      links: createPassLinks({ keys: [KEY], publicUrl: PUBLIC_URL }),
      ...facts,
      credentialsStore,
      credentials: createCredentials({ store: credentialsStore, settings: {}, clock: this.clock }),
      circuits: createCircuits(this.clock),
      passTokens: createPassTokens([KEY]),
      applePush: {
        send: async (_credentials: unknown, { pushToken }: { pushToken: string }) => {
          const outcome = await this.apple(pushToken);
          this.pushed.push(pushToken);
          return outcome;
        },
        close: async () => undefined,
      },
      googleApi: createGoogleApi({ baseUrl: GOOGLE, tokenUrl: `${GOOGLE}/token` }),
      googleCallbacks: createGoogleCallbacks({ keysUrl: `${GOOGLE}/keys` }),
      googleSaveUrl: 'https://pay.test/save',
      images: {
        idOf: async () => null,
        load: async () => null,
        addressOf: async () => null,
        refresh: async () => {},
      },
    };
    return deps as unknown as WalletDeps;
  }

  private facts(): Omit<FactSources, 'passes'> & Pick<WalletDeps, 'ledger'> {
    const type = { code: 'points', name: 'Points', is_default: true };
    const nothing = async () => ({}) as never;
    return {
      clients: {
        GetTransactionMetrics: async () => ({ metrics: [] }),
        ListSuccessors: async () => ({ successors: [] }),
        GetClientStanding: nothing,
        ListFields: nothing,
        PreviewSegment: nothing,
        RecordTrail: nothing,
        GetClients: async ({ ids }) => ({
          clients: ids.map((id) => ({ id, first_name: 'Ada', custom_fields: {} }) as never),
        }),
      },
      identity: {
        GetBrand: async () => ({}),
        GetMailWriter: nothing,
        GetPortalConfig: nothing,
        GetWorkspace: async ({ workspace_id }) =>
          ({ id: workspace_id, name: 'Bean & Leaf', slug: 'bean-leaf' }) as never,
      },
      ledger: {
        GetBalances: async () => ({
          wallets: [{ wallet: { active_balance: this.points }, wallet_type: type } as never],
          inactive_codes: [],
        }),
        ListWalletTypes: async () => ({ wallet_types: [type as never] }),
        ListBalances: async ({ client_ids }) => ({
          wallet_types: [type as never],
          clients: client_ids.map((client_id) => ({
            client_id,
            wallets: [{ active_balance: this.points } as never],
          })),
        }),
      },
      referrals: { Attribute: nothing, GetClientReferral: nothing },
      rewards: { ListClientRewards: nothing, ListRewards: nothing, ListRedemptions: nothing },
      tiers: {
        GetClientTiers: nothing,
        GetTiers: nothing,
        ListTiers: async () => ({ tiers: [] }),
      },
      portalLinks: createPortalLinks(SECRET),
      publicUrl: PUBLIC_URL,
    };
  }
}

/** Pushes everything that is due, as the job of one process does. */
export async function pushDue(deps: WalletDeps): Promise<void> {
  await workOff(pushWorker(deps));
}
