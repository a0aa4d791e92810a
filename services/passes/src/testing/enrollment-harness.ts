import { createHash } from 'node:crypto';
import { createPortalLinks, createTokens } from '@laurel/auth-cache';
import { createOutbox, inboxIndexes } from '@laurel/events';
import { currentContext, newId, runInContext, systemContext } from '@laurel/lifecycle';
import type { NewMessage } from '@laurel/mail';
import type { Session } from '@laurel/mongo';
import type { passes as api, referrals } from '@laurel/rpc';
import {
  nothingReferenced,
  silentLogger,
  type TestStore,
  testClock,
  testStore,
} from '@laurel/testing';
import { collections } from '../collections';
import { createStores, type EnrollmentDeps } from '../deps';
import { createPassLinks } from '../domain/pass/links';
import { createDistribution } from '../use-cases/distribution/create-distribution';
import { confirmEnrollment } from '../use-cases/enrollment/confirm-enrollment';
import { submitEnrollment } from '../use-cases/enrollment/submit-enrollment';
import { renewLinks } from '../use-cases/pass/renew-links';
import { createProject } from '../use-cases/project/create-project';
import { createTemplate } from '../use-cases/template/create-template';
import { FakeClients } from './fake-clients';

export const ABANDONED_MS = 30_000;
const PUBLIC_URL = 'https://laurel.example';
const SECRET = 'a-secret-of-at-least-32-characters!';
const MAILS = 'test_mails';

/** Enrollment without the other services: the real store, clients in memory, referrals that remember operations. */
export class Harness {
  readonly workspaceId = newId();
  readonly clock = testClock();
  readonly clients = new FakeClients(this.clock);
  readonly attributions = new Map<string, referrals.AttributeRequest>();
  readonly deps: EnrollmentDeps;
  distribution!: api.Distribution;

  private constructor(readonly store: TestStore) {
    this.deps = this.depsOver(store.connection);
  }

  static async open(): Promise<Harness> {
    const all = [...collections, inboxIndexes];
    const harness = new Harness(await testStore(all));
    harness.distribution = await harness.newDistribution();
    return harness;
  }

  close = (): Promise<void> => this.store.drop();

  async newDistribution(fields: Partial<api.CreateDistributionRequest> = {}) {
    const { deps, workspaceId: workspace_id } = this;
    const { id: project_id } = await createProject(deps, { workspace_id, name: 'Coffee' });
    const template = { workspace_id, project_id, fields: { name: 'Card' } as api.TemplateFields };
    const made = await createTemplate(deps, template);
    return createDistribution(deps, {
      workspace_id,
      project_id,
      pass_template_id: made.template!.id,
      name: 'Counter',
      page_enabled: true,
      ...fields,
    });
  }

  /** One form that somebody sends; the same operation is the same sending. */
  submit(
    answers: Partial<api.Submission>,
    {
      deps = this.deps,
      operationId = newId(),
      ...asked
    }: { deps?: EnrollmentDeps; operationId?: string; fingerprint?: string } = {},
  ): Promise<api.Enrollment> {
    const door = { distribution_id: this.distribution.id };
    const submission = { door, ip: '', email: 'bo@mail.example', first_name: 'Bo', ...answers };
    const context = systemContext({ operationId, operationKept: true, ...asked });
    return runInContext(context, () => submitEnrollment(deps, submission));
  }

  /** Presses the button behind a mailed link. */
  confirm(
    token: string,
    {
      deps = this.deps,
      operationId = newId(),
    }: { deps?: EnrollmentDeps; operationId?: string } = {},
  ): Promise<api.Enrollment> {
    const token_sha256 = createHash('sha256').update(token).digest('hex');
    const context = systemContext({ operationId });
    return runInContext(context, () => confirmEnrollment(deps, { token_sha256 }));
  }

  /** The token of the newest link that was sent to somebody. */
  async tokenFor(recipient: string): Promise<string> {
    const texts = (await this.mails()).filter(({ to }) => to === recipient).map(({ text }) => text);
    return /\/confirm\?token=([\w-]+)/.exec(texts.at(-1) ?? '')![1]!;
  }

  async passesOf(clientId: string) {
    return this.deps.passes.listOfClients(this.workspaceId, [clientId]);
  }

  mails(): Promise<NewMessage[]> {
    return this.store.connection.collection<NewMessage>(MAILS).find({}).toArray();
  }

  openInputs(): Promise<number> {
    const rows = this.store.connection.collection('enrollments');
    return rows.countDocuments({ input_json: { $ne: null } });
  }

  /** Another process of the service, as it sees the store and the other services. */
  depsOver(
    connection: TestStore['connection'],
    asSeen: <T extends object>(peer: T) => T = (peer) => peer,
  ): EnrollmentDeps {
    const clients = asSeen(this.clients);
    // Enrollment asks for nothing else of what the service has.
    const needed: Partial<EnrollmentDeps> = {
      ...createStores(connection),
      ...createStores(connection),
      belongings: [],
      references: nothingReferenced,
      outbox: createOutbox(connection),
      clock: this.clock,
      logger: silentLogger,
      walletsOffered: async () => ({ apple: true, google: true }),
      links: createPassLinks({ keys: [Buffer.alloc(32, 2)], publicUrl: PUBLIC_URL }),
      clients: clients as never,
      enrollees: clients,
      holder: newId(),
      portalLinks: createPortalLinks(SECRET),
      tokens: createTokens(SECRET),
      publicUrl: PUBLIC_URL,
      identity: asSeen({
        GetWorkspace: async () =>
          ({ id: this.workspaceId, name: 'Coffee', slug: 'coffee', default_locale: 'en' }) as never,
        GetBrand: async () => ({}),
        GetMailWriter: async () => ({
          language: 'en',
          brand: { name: 'Coffee', colour: '#1F6F54', logo_url: null },
        }),
        GetPortalConfig: async () =>
          ({ config: { is_enabled: true, workspace_slug: 'coffee' }, login_mode: 'link' }) as never,
      }),
      referrals: asSeen({
        GetClientReferral: async () => ({ program_enabled: true }),
        Attribute: async (request: referrals.AttributeRequest) => {
          if (!request.dry_run) this.attributions.set(currentContext().operationId, request);
          return { outcome: request.already_enrolled ? 'not_eligible' : 'applied' };
        },
      }),
      messages: {
        enqueue: async (message: NewMessage, session: Session) => {
          const mails = connection.collection<NewMessage>(MAILS);
          await mails.insertOne({ ...message }, { session });
        },
        jobs: [],
      },
      renewLinks: (whose, session) => renewLinks(needed as EnrollmentDeps, whose, session),
      abandonedMs: ABANDONED_MS,
    };
    return needed as EnrollmentDeps;
  }
}
