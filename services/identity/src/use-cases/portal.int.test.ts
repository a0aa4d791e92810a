import {
  addressMark,
  authKeys,
  createPortalLinks,
  portalSessionId,
  readAuth,
  requireProven,
  requireSince,
  signClientAccess,
} from '@laurel/auth-cache';
import { listenerFor } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import type { clients, identity } from '@laurel/rpc';
import { until } from '@laurel/testing';
import { consumers } from '../consumers';
import { type IdentityUnderTest, identityUnderTest, outcome } from '../testing/identity-under-test';
import { deleteWorkspace } from './delete-workspace';
import { endPortalSession, resolvePortalSession } from './end-portal-session';
import { openPortalSession } from './open-portal-session';
import { putPortalConfig } from './put-portal-config';
import { resolvePortal } from './read-portal';
import { requestPortalCode } from './request-portal-code';
import { verifyPortalCode } from './verify-portal-code';

const MINUTE_MS = 60_000;
/** Where the owner of an address sits, and where somebody else does. */
const [HOME, ELSEWHERE] = ['192.0.2.1', '198.51.100.7'];

describe('the portal', () => {
  let it: IdentityUnderTest;
  let owner: identity.User;
  let workspace: identity.Workspace;
  let client: clients.Client;
  beforeAll(async () => {
    it = await identityUnderTest();
  });
  afterAll(() => it.stop());
  beforeEach(async () => {
    owner = await it.newUser();
    workspace = await it.newWorkspace(owner);
    client = knownClient();
    await put({ is_enabled: true });
  });

  const knownClient = (overrides: Partial<clients.Client> = {}): clients.Client => {
    const id = newId();
    const known = { id, workspace_id: workspace.id, status: 'active', email: `${id}@mail.example` };
    const made = { ...known, ...overrides } as clients.Client;
    it.clients.set(id, made);
    return made;
  };
  const put = (changes: Partial<identity.PutPortalConfigRequest>) =>
    putPortalConfig(it.deps, { workspace_id: workspace.id, ...changes });
  const resolve = () => resolvePortal(it.deps, { workspace_id: workspace.id });
  const cached = async () => (await readAuth(it.redis, [authKeys.portal(workspace.id)]))[0];
  const open = (way: Partial<identity.OpenPortalSessionRequest>) =>
    openPortalSession(it.deps, { workspace_slug: workspace.slug, ...way });
  const madeAt = (token: string) => it.deps.tokens.verify('client_access', token).at!;
  const seal = (workspaceId: string, clientId: string) =>
    it.deps.portalLinks.sealPortalLink({ workspaceId, clientId });

  describe('link', () => {
    test('signs its client in, where codes are the way in too', async () => {
      await put({ login_mode: 'code' });
      const { token, client: shown } = await open({ link_token: seal(workspace.id, client.id) });
      expect(shown!.id).toBe(client.id);
      expect(it.deps.tokens.verify('client_access', token)).toMatchObject({
        sub: client.id,
        ws: workspace.id,
      });
    });

    test('from before the client’s address was proven opens nothing; one that was mailed there, or made since, does', async () => {
      const [wild, mailed] = [false, true].map((isProven) =>
        it.deps.portalLinks.sealPortalLink({
          workspaceId: workspace.id,
          clientId: client.id,
          isProven,
        }),
      );
      expect(await outcome(open({ link_token: wild }))).toBe('done');
      await requestPortalCode(it.deps, {
        workspace_slug: workspace.slug,
        email: client.email!,
        ip: HOME,
      });
      const mail = (await it.sent()).filter(({ to }) => to === client.email).at(-1)!;
      const code = /\b(\d{6})\b/.exec(mail.text)![1]!;
      const who = { workspace_slug: workspace.slug, email: client.email!, ip: HOME };
      const { token } = await verifyPortalCode(it.deps, { ...who, code });
      expect(await outcome(open({ link_token: wild }))).not.toBe('done');
      const { token: later } = await open({ link_token: mailed });
      const { proven_at } = await it.deps.clients.NoteAddressProof({
        workspace_id: workspace.id,
        client_id: client.id,
      });
      for (const each of [token, later])
        expect(() =>
          requireProven(it.deps.tokens.verify('client_access', each), proven_at),
        ).not.toThrow();
    });

    test('that was mailed to the client proves the address: sessions and links from before it end', async () => {
      const named = { workspaceId: workspace.id, clientId: client.id };
      const mailedTo = addressMark(client.email!);
      const [wild, mailed] = [{}, { mailedTo }].map((proof) =>
        it.deps.portalLinks.sealPortalLink({ ...named, ...proof }),
      );
      const standing = () =>
        it.deps.clients.GetClientStanding({ workspace_id: workspace.id, client_id: client.id });
      const early = await open({ link_token: wild });
      expect((await standing()).address_proven_at).toBeUndefined();
      // A proof of the same millisecond would let it in.
      await until(async () => Date.now() > madeAt(early.token), { what: 'the next millisecond' });
      const owner = await open({ link_token: mailed });
      const { address_proven_at } = await standing();
      const stands = ({ token }: identity.PortalSession) =>
        outcome(
          (async () =>
            requireProven(it.deps.tokens.verify('client_access', token), address_proven_at))(),
        );
      expect(await stands(early)).toBe('INVALID_TOKEN');
      expect(await stands(owner)).toBe('done');
      expect(await outcome(open({ link_token: wild }))).toBe('INVALID_TOKEN');
      expect(await stands(await open({ link_token: mailed }))).toBe('done');
      expect((await standing()).address_proven_at).toBe(address_proven_at);
    });

    test('that was mailed to an address opens nothing once the client has another, and is no proof of that', async () => {
      const named = { workspaceId: workspace.id, clientId: client.id };
      const { email } = client;
      const link_token = it.deps.portalLinks.sealPortalLink({
        ...named,
        mailedTo: addressMark(email!.toUpperCase()),
      });
      it.clients.set(client.id, { ...client, email: `right-${email}` });
      expect(await outcome(open({ link_token }))).toBe('INVALID_TOKEN');
      const whose = { workspace_id: workspace.id, client_id: client.id };
      expect((await it.deps.clients.GetClientStanding(whose)).address_proven_at).toBeUndefined();
      it.clients.set(client.id, client);
      expect(await outcome(open({ link_token }))).toBe('done');
    });

    test('that names no address is no proof of one, though it was made after a proof', async () => {
      const named = { workspaceId: workspace.id, clientId: client.id };
      const link_token = it.deps.portalLinks.sealPortalLink({ ...named, isProven: true });
      const { GetClientStanding } = it.deps.clients;
      const noted = jest.spyOn(it.deps.clients, 'NoteAddressProof');
      const standing = { status: 'active', loyalty_program_enabled: true };
      // What was proven is the client's no more.
      it.deps.clients.GetClientStanding = async () => ({ ...standing, sessions_since: Date.now() });
      expect(await outcome(open({ link_token }))).toBe('INVALID_TOKEN');
      it.deps.clients.GetClientStanding = GetClientStanding;
      expect(await outcome(open({ link_token }))).toBe('done');
      expect(noted).not.toHaveBeenCalled();
      noted.mockRestore();
    });

    test('that was marked with the number of a client opens nothing: a phone is never proven', async () => {
      const named = { workspaceId: workspace.id, clientId: client.id };
      const phone = '+436641234500';
      const link_token = it.deps.portalLinks.sealPortalLink({
        ...named,
        mailedTo: addressMark(phone),
      });
      it.clients.set(client.id, { ...client, phone });
      expect(await outcome(open({ link_token }))).toBe('INVALID_TOKEN');
      it.clients.set(client.id, client);
    });

    test('from a card opens nothing once the address that was proven is another, until that is proven, too', async () => {
      const named = { workspaceId: workspace.id, clientId: client.id };
      const wild = it.deps.portalLinks.sealPortalLink({ ...named, isProven: false });
      const { GetClientStanding } = it.deps.clients;
      const since = Date.now() + 60_000;
      it.deps.clients.GetClientStanding = async (request) => ({
        ...(await GetClientStanding(request)),
        sessions_since: since,
      });
      expect(await outcome(open({ link_token: wild }))).toBe('INVALID_TOKEN');
      const { token } = await open({ client_id: client.id });
      expect(() =>
        requireProven(it.deps.tokens.verify('client_access', token), since),
      ).not.toThrow();
      it.deps.clients.GetClientStanding = GetClientStanding;
    });

    test('of a client who is gone, erased or elsewhere opens nothing', async () => {
      const erased = knownClient({ status: 'anonymized' });
      const elsewhere = await it.newWorkspace(owner);
      for (const link_token of [
        seal(workspace.id, erased.id),
        seal(workspace.id, newId()),
        seal(elsewhere.id, client.id),
      ])
        expect(await outcome(open({ link_token }))).toBe('RECORD_NOT_FOUND');
    });

    test('of 90 days ago opens nothing', async () => {
      const link_token = seal(workspace.id, client.id);
      it.clock.advanceMs(89 * 86_400_000);
      expect(await outcome(open({ link_token }))).toBe('done');
      it.clock.advanceMs(86_400_000);
      expect(await outcome(open({ link_token }))).toBe('INVALID_TOKEN');
      it.clock.advanceMs(-90 * 86_400_000);
    });

    test('that somebody else sealed opens nothing', async () => {
      const forger = createPortalLinks('a secret that somebody made up themselves');
      const link = { workspaceId: workspace.id, clientId: client.id };
      const forged = open({ link_token: forger.sealPortalLink(link) });
      expect(await outcome(forged)).toBe('INVALID_TOKEN');
    });
  });

  describe('session', () => {
    const sinceOf = (token: string) => it.deps.tokens.verify('client_access', token);
    const stands = async (token: string) => {
      const { sessions_since } = await resolve();
      return outcome((async () => requireSince(sinceOf(token), sessions_since))());
    };

    test('ends with all others when the way to sign in becomes another one', async () => {
      const { token } = await open({ client_id: client.id });
      const enrolled = signClientAccess(it.deps.tokens, {
        workspaceId: workspace.id,
        clientId: client.id,
      });
      await put({ login_mode: 'link', welcome_title: 'Hello' });
      expect(await stands(token)).toBe('done');
      it.clock.advanceMs(10 * MINUTE_MS);
      await put({ login_mode: 'code' });
      expect(await stands(token)).toBe('INVALID_TOKEN');
      expect(await stands(enrolled)).toBe('INVALID_TOKEN');
      const next = await open({ link_token: seal(workspace.id, client.id) });
      expect(await stands(next.token)).toBe('done');
      await put({ login_mode: 'code', cta_label: 'Order' });
      expect(await stands(next.token)).toBe('done');
      it.clock.advanceMs(1_000);
      await put({ login_mode: 'link' });
      expect(await stands(next.token)).toBe('INVALID_TOKEN');
    });

    test('that its client ends is not let in again, also where it was cached', async () => {
      const [first, second] = [
        await open({ client_id: client.id }),
        await open({ client_id: client.id }),
      ].map(({ token }) => ({
        workspace_id: workspace.id,
        session_id: portalSessionId(sinceOf(token)),
      }));
      await resolvePortalSession(it.deps, first!);
      await endPortalSession(it.deps, first!);
      expect(await outcome(resolvePortalSession(it.deps, first!))).toBe('INVALID_TOKEN');
      expect(await outcome(resolvePortalSession(it.deps, second!))).toBe('done');
    });
  });

  describe('cache of what lets tokens in', () => {
    test('is emptied by switching the portal off', async () => {
      await resolve();
      expect(await cached()).toEqual({ workspace_id: workspace.id, sessions_since: 0 });
      await put({ is_enabled: false });
      expect(await cached()).toBeNull();
      expect(await outcome(resolve())).toBe('RECORD_NOT_FOUND');
      expect(await cached()).toBeNull();
    });

    test('is emptied by deleting the workspace', async () => {
      await resolve();
      await deleteWorkspace(it.deps, {
        workspace_id: workspace.id,
        user_id: owner.id,
        confirm_slug: workspace.slug,
      });
      expect(await cached()).toBeNull();
      expect(await outcome(resolve())).toBe('FORBIDDEN');
    });
  });

  test('tells cards of every change, and of none where nothing was named', async () => {
    const told = () =>
      it.deps.connection
        .collection<{ event: { type: string; data: unknown } }>('outbox')
        .find({ 'event.workspaceid': workspace.id, 'event.type': 'identity.settings_updated' })
        .toArray();
    const before = (await told()).length;
    await put({});
    expect(await told()).toHaveLength(before);
    await put({ welcome_title: 'Hello', login_mode: 'code' });
    const events = await told();
    expect(events).toHaveLength(before + 1);
    const data = { workspace_id: workspace.id, changed: ['portal'] };
    expect(events.at(-1)!.event).toMatchObject({ data });
  });

  test('keeps both of two settings that were made at once', async () => {
    await Promise.all([put({ welcome_title: 'Hello' }), put({ cta_label: 'Order' })]);
    const { config } = await put({});
    expect(config).toMatchObject({ welcome_title: 'Hello', cta_label: 'Order', is_enabled: true });
  });

  describe('code', () => {
    const request = async (email = client.email!, ip = HOME) => {
      await requestPortalCode(it.deps, { workspace_slug: workspace.slug, email, ip });
      const mails = (await it.sent()).filter(({ to }) => to === email);
      return /\b(\d{6})\b/.exec(mails.at(-1)?.text ?? '')?.[1] ?? 'none';
    };
    const verify = (code: string, ip = HOME) =>
      verifyPortalCode(it.deps, {
        workspace_slug: workspace.slug,
        email: client.email!,
        code,
        ip,
      });
    const mailsTo = async (email: string) =>
      (await it.sent()).filter(({ to }) => to === email).length;

    test('lives ten minutes', async () => {
      const late = await request();
      it.clock.advanceMs(10 * MINUTE_MS);
      expect(await outcome(verify(late))).toBe('INVALID_CREDENTIALS');
      expect(await outcome(verify(await request()))).toBe('done');
    });

    test('is sent five times an hour at most, so that no mailbox is flooded', async () => {
      for (let count = 0; count < 7; count += 1) await request();
      expect(await mailsTo(client.email!)).toBe(5);
      it.clock.advanceMs(61 * MINUTE_MS);
      await request();
      expect(await mailsTo(client.email!)).toBe(6);
    });

    test('is sent twenty times an hour to one address by all portals together', async () => {
      const email = `${newId()}@mail.example`;
      for (let shop = 0; shop < 5; shop += 1) {
        workspace = await it.newWorkspace(owner);
        await put({ is_enabled: true });
        knownClient({ email });
        for (let time = 0; time < 5; time += 1) await request(email);
      }
      expect(await mailsTo(email)).toBe(20);
    });

    test('reaches its owner however often somebody else asks for one', async () => {
      expect(await outcome(verify(await request()))).toBe('done');
      for (let source = 0; source < 6; source += 1)
        for (let time = 0; time < 5; time += 1) await request(client.email!, `203.0.113.${source}`);
      // Strangers who were never signed in here have caused twenty mails together, the first among them, and no more.
      expect(await mailsTo(client.email!)).toBe(20);
      const code = await request();
      expect(await mailsTo(client.email!)).toBe(21);
      expect(await outcome(verify(code))).toBe('done');
    });

    test('stays good however often somebody else asks for one, or guesses', async () => {
      const code = await request();
      await request(client.email!, ELSEWHERE);
      for (let guess = 0; guess < 12; guess += 1)
        expect(await outcome(verify('none', ELSEWHERE))).toBe('INVALID_CREDENTIALS');
      expect(await outcome(verify(code))).toBe('done');
    });

    test('may be typed in where it was not asked for', async () => {
      expect(await outcome(verify(await request(), ELSEWHERE))).toBe('done');
    });

    test('waits for no other portal that is asked for a thousand', async () => {
      const crowded = { workspace_slug: `crowded-${newId()}`, source: ELSEWHERE };
      for (let time = 0; time < 30; time += 1)
        await it.deps.portalCodes.request(
          { ...crowded, email: `${time}@mail.example` },
          it.clock.now(),
        );
      const wish = { workspace_slug: workspace.slug, email: client.email!, source: HOME };
      await it.deps.portalCodes.request(wish, it.clock.now());
      const room = { count: 4, share: 2, inHand: new Map<string, number>() };
      const claimed = await it.deps.portalCodes.due.claim(room, {
        now: it.clock.now(),
        leaseMs: 1,
      });
      expect(claimed.map(({ turn }) => turn)).toContain(workspace.slug);
      expect(claimed.filter(({ turn }) => turn === crowded.workspace_slug)).toHaveLength(2);
    });

    test('is not sent when no visitor waits for it any more', async () => {
      const email = client.email!;
      await requestPortalCode(it.deps, { workspace_slug: workspace.slug, email, ip: HOME });
      it.clock.advanceMs(11 * MINUTE_MS);
      expect(await mailsTo(email)).toBe(0);
      it.clock.advanceMs(11 * MINUTE_MS);
      expect(await mailsTo(email)).toBe(0);
    });

    test('gets five guesses, however many are made at once', async () => {
      const code = await request();
      const wrong = code === '111111' ? '222222' : '111111';
      await Promise.all(Array.from({ length: 12 }, () => outcome(verify(wrong))));
      expect(await outcome(verify(code))).toBe('INVALID_CREDENTIALS');
    });

    test('opens nothing once its client was made inactive or the portal switched off', async () => {
      const code = await request();
      client.status = 'inactive';
      expect(await outcome(verify(code))).toBe('INVALID_CREDENTIALS');
      client.status = 'active';
      const next = await request();
      await put({ is_enabled: false });
      expect(await outcome(verify(next))).toBe('RECORD_NOT_FOUND');
    });

    test('is stored without the address, and goes with its workspace', async () => {
      await request();
      const rows = it.deps.connection.collection('portal_codes');
      const stored = await rows.findOne({ workspace_id: workspace.id });
      expect(JSON.stringify(stored)).not.toContain('mail.example');
      const removal = consumers(it.deps).find(
        ({ queue }) => queue === 'identity.workspace-removal',
      );
      await listenerFor(removal!, 'identity.workspace_deleted')!(
        { workspaceid: workspace.id } as never,
        ((work: (session: undefined) => Promise<void>) => work(undefined)) as never,
      );
      expect(await rows.countDocuments({ workspace_id: workspace.id })).toBe(0);
    });
  });
});
