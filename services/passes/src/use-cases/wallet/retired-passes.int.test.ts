import { unitOfWork } from '@laurel/mongo';
import { unzipSync } from 'fflate';
import type { Pass } from '../../domain/pass/pass';
import { COALESCE_MS } from '../../store/pass-update-document';
import { Harness, pushDue } from '../../testing/wallet-harness';
import { deletePass } from '../pass/delete-pass';
import { forgetClient } from '../pass/forget-client';
import { updatePass } from '../pass/update-pass';
import { getLatestApplePass, registerAppleDevice, unregisterAppleDevice } from './apple-devices';
import { forgetRetiredPasses, silenceRetiredPasses } from './forget';
import { getApplePass } from './get-apple-pass';
import { getGoogleLink } from './get-google-link';
import { noteGoogleInstall } from './note-google-install';

const DAY_MS = 86_400_000;
const DESIGN = {
  description: 'Card of {{first_name}}',
  logo_text: 'Hello {{first_name}}',
  background_color: '#123456',
  barcode_id: '{{first_name}}',
  front_fields: [{ id: 'name', label: 'Member', value: '{{first_name}}' }],
  back_fields: [{ id: 'terms', label: 'Terms', value: 'Ask {{first_name}}' }],
};

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

async function onPhone(): Promise<Pass> {
  const pass = await harness.newPass(await harness.newTemplate(DESIGN));
  await registerAppleDevice(harness.deps, harness.call(pass, 'phone'));
  return pass;
}
const remove = (pass: Pass) =>
  deletePass(harness.deps, { workspace_id: harness.workspaceId, id: pass.id });
const anonymize = (pass: Pass) =>
  unitOfWork(harness.deps.connection, (session) =>
    forgetClient(
      harness.deps,
      { workspaceId: harness.workspaceId, clientId: pass.client_id!, ending: 'anonymized' },
      session,
    ),
  );
const latest = (pass: Pass) => getLatestApplePass(harness.deps, harness.call(pass, 'phone'));
function linkOf(pass: Pass) {
  const { pathname } = new URL(harness.deps.links.urlsOf(pass).apple_pass_url);
  return { pass_id: pass.id, signature: pathname.split('/')[3]! };
}
const shown = (content: Buffer | undefined) =>
  JSON.parse(Buffer.from(unzipSync(content!)['pass.json']!).toString());

describe.each([
  ['deleted', remove],
  ['anonymized', anonymize],
])('the card of somebody %s', (_what, end) => {
  test('becomes an empty, voided one: its phones are pushed to once more, and say nothing of anybody', async () => {
    const pass = await onPhone();
    expect(shown((await latest(pass)).content).storeCard.primaryFields[0].value).toBe('Ada');
    await end(pass);
    await pushDue(harness.deps);
    expect(harness.pushed).toEqual(['token of phone']);
    const card = shown((await latest(pass)).content);
    expect(card).toMatchObject({
      voided: true,
      serialNumber: pass.id,
      backgroundColor: 'rgb(18, 52, 86)',
      storeCard: { headerFields: [], primaryFields: [], auxiliaryFields: [], backFields: [] },
    });
    expect(card).not.toHaveProperty('barcodes');
    expect(JSON.stringify(card)).not.toContain('Ada');
    expect(shown((await getApplePass(harness.deps, linkOf(pass))).content)).toMatchObject({
      voided: true,
    });
    await expect(getGoogleLink(harness.deps, linkOf(pass))).rejects.toMatchObject({
      httpStatus: 404,
    });
    const rows = harness.store.connection.collection('retired_passes');
    const kept = JSON.stringify(await rows.find({}).toArray());
    expect(kept).not.toContain('Ada');
    expect(kept).not.toContain(pass.client_id);
  });

  test('is refused after 30 days, and nothing is kept of it', async () => {
    const pass = await onPhone();
    await end(pass);
    await pushDue(harness.deps);
    harness.clock.advanceMs(30 * DAY_MS - 1);
    await forgetRetiredPasses(harness.deps);
    expect((await latest(pass)).content).toBeInstanceOf(Buffer);
    harness.clock.advanceMs(1);
    await expect(latest(pass)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    await expect(getApplePass(harness.deps, linkOf(pass))).rejects.toMatchObject({
      httpStatus: 404,
    });
    await forgetRetiredPasses(harness.deps);
    for (const name of ['apple_registrations', 'wallet_contents', 'retired_passes'])
      expect(await harness.store.connection.collection(name).countDocuments({})).toBe(0);
  });

  test('is taken off a phone as any other', async () => {
    const pass = await onPhone();
    await end(pass);
    await unregisterAppleDevice(harness.deps, harness.call(pass, 'phone'));
    await pushDue(harness.deps);
    expect(harness.pushed).toEqual([]);
  });
});

test('a pass of somebody anonymized counts as installed until nothing is heard of its devices any more', async () => {
  const pass = await onPhone();
  await noteGoogleInstall(harness.deps, pass, true);
  await anonymize(pass);
  await pushDue(harness.deps);
  const { passes } = harness.deps;
  const counted = async () => {
    const byTemplate = await passes.countByTemplate(pass.workspace_id, [pass.pass_template_id]);
    return [await passes.count(pass.workspace_id), byTemplate.get(pass.pass_template_id)];
  };
  const installed = { total: 1, apple: 1, google: 1 };
  expect(await counted()).toEqual([installed, expect.objectContaining(installed)]);
  harness.clock.advanceMs(30 * DAY_MS);
  await forgetRetiredPasses(harness.deps);
  const gone = { total: 1, apple: 0, google: 0 };
  expect(await counted()).toEqual([gone, expect.objectContaining(gone)]);
  const rows = harness.store.connection.collection('wallet_installs');
  expect(await rows.countDocuments({})).toBe(0);
});

test('the pass of somebody anonymized does not come back, under no other name either', async () => {
  const pass = await onPhone();
  await anonymize(pass);
  const change = { workspace_id: harness.workspaceId, id: pass.id };
  for (const more of [{ status: 'active' }, { client_id: pass.client_id! }])
    await expect(updatePass(harness.deps, { ...change, ...more })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
});

test('a voided pass says so on its phones, and is as before when it is restored', async () => {
  const pass = await harness.newPass(await harness.newTemplate());
  await registerAppleDevice(harness.deps, harness.call(pass, 'phone'));
  const before = shown((await latest(pass)).content);
  const change = (more: object) =>
    updatePass(harness.deps, { workspace_id: harness.workspaceId, id: pass.id, ...more });
  await change({ status: 'voided', expires_at: '2027-01-01T00:00:00.000Z' });
  await pushDue(harness.deps);
  expect(harness.pushed).toHaveLength(1);
  expect(shown((await latest(pass)).content)).toEqual({
    ...before,
    voided: true,
    expirationDate: '2027-01-01T00:00:00.000Z',
  });
  await change({ status: 'active', expires_at: null });
  harness.clock.advanceMs(6_000);
  await pushDue(harness.deps);
  expect(harness.pushed).toHaveLength(2);
  expect(shown((await latest(pass)).content)).toEqual(before);
});

describe.each([
  ['deleted', remove],
  ['anonymized', anonymize],
])('a pass of somebody %s at the very moment', (_what, end) => {
  test('is pushed once more to a phone that registers then: it has a card with a name', async () => {
    const pass = await onPhone();
    const { deps } = harness;
    const put: typeof deps.registrations.put = async (...args) => {
      // Before this registration is there, the phones that are known have heard of the end.
      await end(pass);
      await pushDue(deps);
      return deps.registrations.put(...args);
    };
    const meanwhile = { ...deps, registrations: { ...deps.registrations, put } };
    await registerAppleDevice(meanwhile, harness.call(pass, 'late'));
    expect(harness.pushed).toEqual(['token of phone']);
    harness.clock.advanceMs(COALESCE_MS);
    await pushDue(deps);
    expect(harness.pushed).toContain('token of late');
  });
});

test('texts that a replica of the release before left on an anonymized pass go within the hour, and wait on others', async () => {
  const [ended, living] = [await onPhone(), await onPhone()];
  await anonymize(ended);
  const passes = harness.deps.connection.collection<{ _id: string }>('passes');
  const waiting = {
    notification_queue: [{ text: 'Anna, your table is ready', count: 1, repeat: 0 }],
    notification_shown: 1,
  };
  const ids = [ended.id, living.id];
  await passes.updateMany({ _id: { $in: ids } }, { $set: waiting });
  const queues = async () => {
    const found = await harness.deps.passes.findMany(harness.workspaceId, ids);
    return ids.map((id) => found.get(id)!.notification_queue);
  };
  harness.clock.advanceMs(3_600_000);
  await silenceRetiredPasses(harness.deps);
  expect(await queues()).toEqual([[], waiting.notification_queue]);
});
