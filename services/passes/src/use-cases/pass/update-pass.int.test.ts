import { createPassTokens } from '../../outside/apple/token';
import { createHarness, type Harness } from '../../testing/harness';
import { findSignedPass } from '../wallet/find-signed-pass';
import { gatherCard } from '../wallet/gather-card';
import { findPassByBarcode } from './read-passes';
import { settleBarcode } from './settle-barcode';
import { updatePass } from './update-pass';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const tokens = createPassTokens([Buffer.alloc(32, 3)]);
const own = () => ({ workspace_id: harness.workspaceId });
const stored = async (id: string) => (await harness.deps.passes.find(harness.workspaceId, id))!;
const change = (id: string, client_id: string | null) =>
  updatePass(harness.deps, { ...own(), id, client_id });
const opens = (url: string) => {
  const [, , pass_id, signature] = new URL(url).pathname.split('/');
  return findSignedPass(harness.deps, { pass_id: pass_id!, signature: signature! }).then(
    () => true,
    () => false,
  );
};
const leadsTo = (barcode_value: string) =>
  findPassByBarcode(harness.deps, { ...own(), barcode_value }).then(
    ({ id }) => id,
    () => null,
  );
const wayIn = async (id: string) => {
  const nothing = { wallets: false, tier: false, benefits: false, referralCode: false };
  const needed = { ...nothing, availableRewards: false, activeRewards: false, portalUrl: true };
  return (await gatherCard(harness.deps, await stored(id), needed)).portalUrl;
};

test('a pass that becomes another client’s opens by new links alone, and by no card of who had it', async () => {
  const template = await harness.template((await harness.project()).id);
  const [one, other] = [
    harness.client({ first_name: 'Ann' }),
    harness.client({ first_name: 'Bo' }),
  ];
  const { id, ...first } = await harness.pass(template, { client_id: one });
  const rows = harness.deps.connection.collection<{ _id: string }>('passes');
  await rows.updateOne({ _id: id }, { $set: { handed_out: true } });
  const cardOfOne = tokens.tokenOf(await stored(id));
  const second = await change(id, other);
  expect(await opens(first.apple_pass_url!)).toBe(false);
  expect(await opens(second.apple_pass_url!)).toBe(true);
  expect(tokens.isTokenOf(await stored(id), cardOfOne)).toBe(false);
  expect(await wayIn(id)).toContain('/portal/corner?token=');
  const third = await change(id, one);
  for (const url of [first.apple_pass_url!, second.apple_pass_url!])
    expect(await opens(url)).toBe(false);
  await change(id, null);
  expect(await opens(third.apple_pass_url!)).toBe(false);
});

test('the links of a pass stay where it is taken from no client: it gets its first one, or the one it has', async () => {
  const template = await harness.template((await harness.project()).id);
  const { id, apple_pass_url: url } = await harness.pass(template);
  const client = harness.client();
  await change(id, client);
  await change(id, client);
  expect(await opens(url!)).toBe(true);
});

test('no picture of a barcode of chance is scanned as the client whose the pass becomes, nor an earlier one', async () => {
  const design = { barcode_id: 'MEM-{{member_no}}' };
  const template = await harness.template((await harness.project()).id, design);
  const [one, other] = [harness.client(), harness.client()];
  const { id, barcode_value: first } = await harness.pass(template, { client_id: one });
  const { barcode_value: second } = await change(id, other);
  expect([await leadsTo(first!), await leadsTo(second!)]).toEqual([null, id]);
  harness.peers.clients.get(other)!.custom_fields = { member_no: '2' };
  const { templates } = harness.deps;
  const on = (await templates.find(harness.workspaceId, template.id))!;
  expect((await settleBarcode(harness.deps, await stored(id), on)).barcode_value).toBe('MEM-2');
  expect(await leadsTo(second!)).toBe(id);
  await change(id, null);
  expect([await leadsTo(second!), await leadsTo('MEM-2')]).toEqual([null, id]);
});

test('a barcode that was given stays with the pass, whosever it becomes', async () => {
  const template = await harness.template((await harness.project()).id);
  const given = { client_id: harness.client(), barcode_value: 'CARD-1' };
  const { id } = await harness.pass(template, given);
  expect((await change(id, harness.client())).barcode_value).toBe('CARD-1');
  expect(await leadsTo('CARD-1')).toBe(id);
});

test('the text that was pushed to one client is not shown to the next, unless it comes with the change', async () => {
  const template = await harness.template((await harness.project()).id);
  const [one, other] = [
    harness.client({ first_name: 'Ann' }),
    harness.client({ first_name: 'Bo' }),
  ];
  const { id } = await harness.pass(template, { client_id: one });
  const patch = (changes: object) => updatePass(harness.deps, { ...own(), id, ...changes });
  const notification = 'Dear {{first_name}}';
  expect((await patch({ notification })).notification).toBe('Dear Ann');
  expect((await change(id, other)).notification ?? null).toBeNull();
  expect((await patch({ notification, client_id: one })).notification).toBe('Dear Ann');
});

test('a text that was filled while the pass was handed over is filled for the client who has it then', async () => {
  const template = await harness.template((await harness.project()).id);
  const [one, other] = [
    harness.client({ first_name: 'Ann' }),
    harness.client({ first_name: 'Bo' }),
  ];
  const { id } = await harness.pass(template, { client_id: one });
  const { deps } = harness;
  const askedFor: string[] = [];
  const GetClients: typeof deps.clients.GetClients = async (request) => {
    askedFor.push(...request.ids);
    if (askedFor.length === 1) await change(id, other);
    return deps.clients.GetClients(request);
  };
  const handingOver = { ...deps, clients: { ...deps.clients, GetClients } };
  const notification = 'Dear {{first_name}}';
  const asked = { ...own(), id, notification };
  expect((await updatePass(handingOver, asked)).notification).toBe('Dear Bo');
  expect(askedFor.slice(0, 2)).toEqual([one, other]);
  expect((await stored(id)).notification).toBe('Dear Bo');
});

test('a text for a pass whose client was merged a moment ago is filled for whom the client became', async () => {
  const template = await harness.template((await harness.project()).id);
  const [source, target] = [
    harness.client({ first_name: 'Ann' }),
    harness.client({ first_name: 'Bo' }),
  ];
  const { id } = await harness.pass(template, { client_id: source });
  harness.peers.clients.delete(source);
  harness.peers.successors.set(source, target);
  const asked = { ...own(), id, notification: 'Dear {{first_name}}' };
  expect((await updatePass(harness.deps, asked)).notification).toBe('Dear Bo');
});

test('a change that is meant for one client is refused once another has the pass, and comes to whom they became', async () => {
  const project = (await harness.project()).id;
  const [template, next] = [await harness.template(project), await harness.template(project)];
  const [one, other] = [harness.client(), harness.client()];
  const { id } = await harness.pass(template, { client_id: one });
  const switching = (for_client_id: string) => ({
    ...own(),
    id,
    pass_template_id: next.id,
    for_client_id,
  });
  await change(id, other);
  await expect(updatePass(harness.deps, switching(one))).rejects.toMatchObject({ httpStatus: 409 });
  expect((await stored(id)).pass_template_id).toBe(template.id);
  harness.peers.successors.set(one, other);
  await updatePass(harness.deps, switching(one));
  expect((await stored(id)).pass_template_id).toBe(next.id);
  await change(id, null);
  await expect(updatePass(harness.deps, switching(one))).rejects.toMatchObject({
    code: 'RECORD_NOT_FOUND',
  });
});

test('the barcode of chance ends, too, where it stands in place of one that the barcode type cannot hold', async () => {
  const project = (await harness.project()).id;
  const template = await harness.template(project, { barcode_type: 'code128' });
  const given = { client_id: harness.client(), barcode_value: 'Größe-1' };
  const wide = await harness.template(project);
  const { id } = await harness.pass(wide, given);
  const { templates } = harness.deps;
  const on = (await templates.find(harness.workspaceId, template.id))!;
  const { barcode_value: first } = await settleBarcode(harness.deps, await stored(id), on);
  expect(first).not.toBe('Größe-1');
  const { barcode_value: second } = await change(id, harness.client());
  expect([await leadsTo(first), second === first]).toEqual([null, false]);
});
