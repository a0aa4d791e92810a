import { newId } from '@laurel/lifecycle';
import { type Connection, unitOfWork } from '@laurel/mongo';
import { unzipSync } from 'fflate';
import type { Pass } from '../../domain/pass/pass';
import { LOCAL_ISSUER_ID, makeLocalApple } from '../../outside/credentials/make-local';
import { COALESCE_MS } from '../../store/pass-update-document';
import { createRegistrationStore } from '../../store/registrations';
import { Harness, PASS_TYPE, pushDue } from '../../testing/wallet-harness';
import { exportClient } from '../export-client';
import { renewLinks } from '../pass/renew-links';
import {
  getLatestApplePass,
  listChangedApplePasses,
  registerAppleDevice,
  unregisterAppleDevice,
} from './apple-devices';
import { handleGoogleCallback, noteGoogleInstall } from './note-google-install';
import { recordDevice } from './record-device';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

const shown = (content: Buffer | undefined) =>
  JSON.parse(Buffer.from(unzipSync(content!)['pass.json']!).toString());
const newPass = async () => harness.newPass(await harness.newTemplate());
const countsOf = async (type: string, passId: string) =>
  (await harness.events(type))
    .filter(({ subject }) => subject === passId)
    .map(({ data }) => (data as { device_count: number }).device_count)
    .sort();
const stored = async (passId: string) =>
  (await harness.deps.passes.find(harness.workspaceId, passId))!;

test('from before the client’s address was proven get the empty card and nothing else; the owner’s new card works', async () => {
  const template = await harness.newTemplate();
  const { id } = await harness.newPass(template);
  const rows = harness.store.connection.collection<{ _id: string }>('passes');
  await rows.updateOne({ _id: id }, { $set: { handed_out: true } });
  const before = await stored(id);
  const strangers = harness.call(before, 'strangers');
  await registerAppleDevice(harness.deps, strangers);
  const whose = { workspaceId: harness.workspaceId, clientId: before.client_id!, cameByForm: true };
  await unitOfWork(harness.deps.connection, (session) => renewLinks(harness.deps, whose, session));
  const refused = expect.objectContaining({ code: 'INVALID_TOKEN' });
  await expect(registerAppleDevice(harness.deps, strangers)).rejects.toEqual(refused);
  const after = await stored(id);
  const owners = harness.call(after, 'owners');
  expect(owners.token).not.toBe(strangers.token);
  await registerAppleDevice(harness.deps, owners);
  await harness.ask(after);
  await pushDue(harness.deps);
  const told = () => harness.pushed.splice(0).sort();
  expect(told()).toEqual(['token of owners', 'token of strangers']);
  const hears = { device_id: 'strangers', pass_type: PASS_TYPE };
  const heard = await listChangedApplePasses(harness.deps, { ...hears, since: '1' });
  expect(heard.serial_numbers).toEqual([id]);
  const card = shown((await getLatestApplePass(harness.deps, strangers)).content);
  expect(card).toMatchObject({ voided: true, serialNumber: id });
  expect(card.authenticationToken).toBe(strangers.token);
  expect(card).not.toHaveProperty('barcodes');
  expect(JSON.stringify(card)).not.toContain('Ada');
  expect(await countsOf('passes.device_unregistered', id)).toEqual([1]);
  const own = (await getLatestApplePass(harness.deps, owners)).content;
  expect(shown(own).authenticationToken).toBe(owners.token);
  harness.clock.advanceMs(COALESCE_MS);
  await harness.changePoints(after, 5);
  await pushDue(harness.deps);
  expect(told()).toEqual(['token of owners']);
  await unregisterAppleDevice(harness.deps, strangers);
  const left = await harness.deps.registrations.listOfPasses(harness.workspaceId, [id]);
  expect(left.map(({ deviceId }) => deviceId)).toEqual(['owners']);
  expect(await countsOf('passes.device_unregistered', id)).toEqual([1]);
});

test('whose card has ended is a new one once it has the new card', async () => {
  const { id } = await newPass();
  const first = harness.call(await stored(id), 'phone');
  await registerAppleDevice(harness.deps, first);
  const taken = { ...(await stored(id)), link_generation: 1 };
  await unitOfWork(harness.deps.connection, (session) =>
    harness.deps.passes.replace(taken, session),
  );
  await harness.ask(taken);
  await pushDue(harness.deps);
  const again = harness.call(await stored(id), 'phone');
  expect(await registerAppleDevice(harness.deps, again)).toEqual({ created: true });
  await unregisterAppleDevice(harness.deps, again);
  expect(await countsOf('passes.device_registered', id)).toEqual([1, 1]);
  expect(await countsOf('passes.device_unregistered', id)).toEqual([0, 0]);
});

test('are a hundred of a client’s card at most; one that is there already goes on', async () => {
  const pass = await newPass();
  const rows = harness.store.connection.collection<{ _id: string }>('apple_registrations');
  const own = { workspace_id: harness.workspaceId, pass_id: pass.id, pass_type: PASS_TYPE };
  const known = Array.from({ length: 99 }, (_, at) => ({ _id: `${pass.id}:d${at}`, ...own }));
  await rows.insertMany(known);
  const register = (device: string) =>
    registerAppleDevice(harness.deps, harness.call(pass, device));
  expect(await register('last')).toEqual({ created: true });
  await expect(register('one more')).rejects.toMatchObject({ httpStatus: 409 });
  expect(await register('last')).toEqual({ created: false });
  expect(await rows.countDocuments({ pass_id: pass.id })).toBe(100);
});

test('of many devices that register at once exactly one is the first', async () => {
  const pass = await newPass();
  const replicas = [harness.deps, await harness.anotherInstance()];
  const devices = Array.from({ length: 8 }, (_, index) => `device-${index}`);
  const replies = await Promise.all(
    devices.map((device, index) =>
      registerAppleDevice(replicas[index % 2]!, harness.call(pass, device)),
    ),
  );
  expect(replies.every(({ created }) => created)).toBe(true);
  expect(await countsOf('passes.device_registered', pass.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect((await stored(pass.id)).on_apple).toBe(true);

  await Promise.all(
    devices.map((device, index) =>
      unregisterAppleDevice(replicas[index % 2]!, harness.call(pass, device)),
    ),
  );
  expect(await countsOf('passes.device_unregistered', pass.id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect((await stored(pass.id)).on_apple).toBe(false);
});

test('a device that registers many times at once is one device, with its last push token', async () => {
  const pass = await newPass();
  const call = harness.call(pass, 'device');
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => registerAppleDevice(harness.deps, call)),
  );
  expect(replies.filter(({ created }) => created)).toHaveLength(1);
  await registerAppleDevice(harness.deps, { ...call, push_token: 'newer' });
  expect(await countsOf('passes.device_registered', pass.id)).toEqual([1]);
  await harness.changePoints(pass, 5);
  const owed = await harness.deps.registrations.markChanged(
    harness.workspaceId,
    new Map([[pass.id, 'd']]),
    harness.clock.now(),
  );
  expect(owed.map(({ pushToken }) => pushToken)).toEqual(['newer']);
});

test('a device that goes many times at once goes once', async () => {
  const pass = await newPass();
  await registerAppleDevice(harness.deps, harness.call(pass, 'device'));
  await Promise.all(
    Array.from({ length: 4 }, () =>
      unregisterAppleDevice(harness.deps, harness.call(pass, 'device')),
    ),
  );
  expect(await countsOf('passes.device_unregistered', pass.id)).toEqual([0]);
});

test('Apple and Google count together: a pass is uninstalled when the last of both is gone', async () => {
  const pass = await newPass();
  await registerAppleDevice(harness.deps, harness.call(pass, 'device'));
  await Promise.all([1, 2, 3].map(() => noteGoogleInstall(harness.deps, pass, true)));
  expect(await countsOf('passes.device_registered', pass.id)).toEqual([1, 2]);
  expect(await stored(pass.id)).toMatchObject({ on_apple: true, on_google: true });
  await unregisterAppleDevice(harness.deps, harness.call(pass, 'device'));
  await noteGoogleInstall(harness.deps, pass, false);
  expect(await countsOf('passes.device_unregistered', pass.id)).toEqual([0, 1]);
});

test.each([
  ['no token of the pass', { token: 'x'.repeat(43) }],
  ['a pass type that is not its own', { pass_type: 'pass.com.other' }],
  ['a serial number of no pass', { serial_number: '01990000-0000-7000-8000-000000000000' }],
])('a call with %s is refused', async (_case, change) => {
  const pass = await newPass();
  const call = { ...harness.call(pass, 'device'), ...change };
  for (const use of [registerAppleDevice, getLatestApplePass])
    await expect(use(harness.deps, call)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
});

test.each([
  ['no token of the pass', { token: 'x'.repeat(43) }],
  ['a serial number of no pass', { serial_number: '01990000-0000-7000-8000-000000000000' }],
])('that a card is gone is not believed with %s', async (_case, change) => {
  const pass = await newPass();
  const call = { ...harness.call(pass, 'device'), ...change };
  await expect(unregisterAppleDevice(harness.deps, call)).rejects.toMatchObject({
    code: 'INVALID_TOKEN',
  });
});

test('a card of a former pass type that leaves its phone is gone, and one of the pass type in use stays', async () => {
  const own = await harness.inNewWorkspace();
  const pass = await own.newPass(await own.newTemplate());
  const isOnPhone = async () => (await own.deps.passes.find(own.workspaceId, pass.id))!.on_apple;
  const call = own.call(pass, 'device');
  await registerAppleDevice(own.deps, call);
  const given = await makeLocalApple(own.clock.now(), { passType: 'pass.com.newer' });
  const { credentialsStore } = own.deps;
  await credentialsStore.put(own.workspaceId, { wallet: 'apple', given }, own.clock.now());
  await unregisterAppleDevice(own.deps, { ...call, pass_type: 'pass.com.newer' });
  expect(await isOnPhone()).toBe(true);
  await unregisterAppleDevice(own.deps, call);
  expect(await isOnPhone()).toBe(false);
});

test('the token of one pass opens no other', async () => {
  const [one, other] = [await newPass(), await newPass()];
  const call = { ...harness.call(one, 'device'), serial_number: other.id };
  await expect(registerAppleDevice(harness.deps, call)).rejects.toMatchObject({
    code: 'INVALID_TOKEN',
  });
});

test('a phone gets its pass anew only when it shows something else', async () => {
  const pass = await newPass();
  const call = harness.call(pass, 'device');
  const first = await getLatestApplePass(harness.deps, call);
  const known = { ...call, if_modified_since: first.last_modified };
  expect(first.content).toBeInstanceOf(Buffer);
  expect((await getLatestApplePass(harness.deps, known)).content).toBeUndefined();
  harness.points += 1;
  const second = await getLatestApplePass(harness.deps, known);
  expect(second.content).toBeInstanceOf(Buffer);
  expect(Date.parse(second.last_modified)).toBeGreaterThan(Date.parse(first.last_modified));
});

test('a device hears of what changed since its last tag, and of nothing else', async () => {
  const template = await harness.newTemplate();
  const [one, other] = [await harness.newPass(template), await harness.newPass(template)];
  for (const pass of [one, other])
    await registerAppleDevice(harness.deps, harness.call(pass, 'phone'));
  const list = (since?: string) =>
    listChangedApplePasses(harness.deps, { device_id: 'phone', pass_type: PASS_TYPE, since });
  const all = await list();
  expect(all.serial_numbers.sort()).toEqual([one.id, other.id].sort());
  expect((await list(all.last_updated)).serial_numbers).toEqual([]);
  const now = harness.clock.now();
  const { workspaceId } = harness;
  const shown = new Map([[other.id, 'new']]);
  await harness.deps.registrations.markChanged(workspaceId, shown, now);
  const changed = await list(all.last_updated);
  expect(changed.serial_numbers).toEqual([other.id]);
  expect((await list(changed.last_updated)).serial_numbers).toEqual([]);
});

/** The same store, where something else is done before the first write of several rows. */
function beforeWriting(connection: Connection, first: () => Promise<void>): Connection {
  let isDone = false;
  const slow = <T extends object>(rows: T): T =>
    new Proxy(rows, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          if (name !== 'bulkWrite' || isDone) return value.apply(target, given);
          isDone = true;
          return first().then(() => value.apply(target, given));
        };
      },
    });
  return new Proxy(connection, {
    get: (target, name) =>
      name === 'collection'
        ? (given: string) => slow(target.collection(given))
        : Reflect.get(target, name),
  });
}

test('a device hears of both changes that are noted at once, whichever is written when it has heard of the other', async () => {
  const [one, other] = [await newPass(), await newPass()];
  for (const pass of [one, other])
    await registerAppleDevice(harness.deps, harness.call(pass, 'raced'));
  const list = (since: string) =>
    listChangedApplePasses(harness.deps, { device_id: 'raced', pass_type: PASS_TYPE, since });
  const { last_updated: before } = await list('');
  harness.clock.advanceMs(10_000);
  const earlier = harness.clock.now();
  const later = new Date(earlier.getTime() + 1_000);
  const note = (registrations: typeof harness.deps.registrations, passId: string, now: Date) => {
    const shown = new Map([[passId, 'shown']]);
    return registrations.markChanged(harness.workspaceId, shown, now);
  };
  let tag = '';
  const slow = beforeWriting(harness.store.connection, async () => {
    await note(harness.deps.registrations, other.id, later);
    tag = (await list(before)).last_updated;
  });
  await note(createRegistrationStore(slow), one.id, earlier);
  expect((await list(tag)).serial_numbers).toEqual([one.id]);
});

test('a template that was changed is in the list of every phone at once, once, and before any pass was drawn anew', async () => {
  const template = await harness.newTemplate();
  const [one, other] = [await harness.newPass(template), await newPass()];
  for (const pass of [one, other])
    await registerAppleDevice(harness.deps, harness.call(pass, 'designed'));
  const list = (since: string) =>
    listChangedApplePasses(harness.deps, { device_id: 'designed', pass_type: PASS_TYPE, since });
  const { last_updated: tag } = await list('');
  harness.clock.advanceMs(1_000);
  await unitOfWork(harness.deps.connection, async (session) => {
    const changed = { ...template, name: 'New', date_updated: harness.clock.now() };
    await harness.deps.templates.replace(changed, session);
  });
  const told = await list(tag);
  expect(told.serial_numbers).toEqual([one.id]);
  expect((await list(told.last_updated)).serial_numbers).toEqual([]);
  // A replica whose clock is behind notes another change later: the phone hears of it all the same.
  const behind = new Date(harness.clock.now().getTime() - 500);
  const shown = new Map([[other.id, 'newer']]);
  await harness.deps.registrations.markChanged(harness.workspaceId, shown, behind);
  expect((await list(told.last_updated)).serial_numbers).toEqual([other.id]);
});

test('the first device makes an event of installation, the last that goes one of its end, each once', async () => {
  const recorded = new Map<string, string>();
  const deps = {
    clients: {
      RecordTrail: async ({ entries }: { entries: { id: string; event_type: string }[] }) => {
        for (const { id, event_type } of entries) recorded.set(id, event_type);
        return { recorded: entries.length };
      },
    },
  } as unknown as Parameters<typeof recordDevice>[0];
  const pass = await newPass();
  for (const device of ['a', 'b'])
    await registerAppleDevice(harness.deps, harness.call(pass, device));
  for (const device of ['a', 'b'])
    await unregisterAppleDevice(harness.deps, harness.call(pass, device));
  const told = await Promise.all(
    ['passes.device_registered', 'passes.device_unregistered'].map((type) => harness.events(type)),
  );
  const own = told.flat().filter(({ subject }) => subject === pass.id);
  for (const event of [...own, ...own]) await recordDevice(deps, event as never);
  expect([...recorded.values()].sort()).toEqual([
    'pass_installed',
    'pass_registered',
    'pass_registered',
    'pass_uninstalled',
  ]);
});

test('what is held on a person names the devices that have the passes, of that person only', async () => {
  const [pass, other] = [await newPass(), await newPass()];
  for (const one of [pass, other])
    await registerAppleDevice(harness.deps, harness.call(one, 'phone'));
  const request = { workspace_id: harness.workspaceId, client_id: pass.client_id! };
  const { data } = await exportClient(harness.deps, request);
  expect(data).toMatchObject({
    passes: [{ id: pass.id }],
    apple_devices: [
      {
        pass_id: pass.id,
        device_library_identifier: 'phone',
        pass_type_identifier: PASS_TYPE,
        push_token: 'token of phone',
      },
    ],
  });
  // The signed links of a pass let their holder act as its client.
  expect(JSON.stringify(data)).not.toContain('/p/');
  const elsewhere = await exportClient(harness.deps, { ...request, workspace_id: 'another' });
  expect(elsewhere.data).toMatchObject({ passes: [], apple_devices: [] });
});

const told = (
  pass: Pass,
  eventType: 'save' | 'del',
  { digest = newId(), expiresAt = new Date(Date.now() + 60_000) } = {},
) => ({ objectId: `${LOCAL_ISSUER_ID}.${pass.id}`, eventType, digest, expiresAt });
const heard = (message: ReturnType<typeof told>, deps = harness.deps) =>
  handleGoogleCallback(
    { ...deps, googleCallbacks: { read: async () => message } },
    { signature: '', protocol_version: '', signed_message: '', signed_key: '', key_signatures: [] },
  );

test('what Google said once is heeded once, also when it is sent again later', async () => {
  const pass = await newPass();
  const other = await harness.anotherInstance();
  const saved = told(pass, 'save');
  await Promise.all([heard(saved), heard(saved, other)]);
  expect((await stored(pass.id)).on_google).toBe(true);
  await heard(told(pass, 'del'));
  await heard(saved, other);
  expect((await stored(pass.id)).on_google).toBe(false);
});

test('of what Google says of a card the latest counts, in whatever order it arrives', async () => {
  const pass = await newPass();
  const { id: passId, workspace_id: workspaceId } = pass;
  const objectId = `${LOCAL_ISSUER_ID}.${passId}`;
  const sent = { kind: 'loyalty' as const, digest: '', notification: null, notificationCount: 0 };
  await harness.deps.googleObjects.put({ workspaceId, passId, objectId, ...sent });
  const after = (seconds: number) => ({ expiresAt: new Date(Date.now() + seconds * 1_000) });
  await heard(told(pass, 'del', after(62)));
  await heard(told(pass, 'save', after(61)));
  expect((await stored(passId)).on_google).toBe(false);
  await heard(told(pass, 'save', after(63)));
  expect((await stored(passId)).on_google).toBe(true);
  await heard(told(pass, 'del', after(60)));
  expect((await stored(passId)).on_google).toBe(true);
});
