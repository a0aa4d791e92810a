import type { passes as api } from '@laurel/rpc';
import { createHarness, type Harness } from '../../testing/harness';
import { updateTemplate } from '../template/update-template';
import { deletePass } from './delete-pass';
import { findPassByBarcode } from './read-passes';
import { settleBarcode } from './settle-barcode';
import { updatePass } from './update-pass';

const RANDOM = /^[\w-]{20}$/;

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const own = () => ({ workspace_id: harness.workspaceId });
const member = (member_no: string | null) => harness.client({ custom_fields: { member_no } });
const renumber = (clientId: string, member_no: string | null) => {
  harness.peers.clients.get(clientId)!.custom_fields = { member_no };
};
const leadsTo = async (barcode_value: string) =>
  (await findPassByBarcode(harness.deps, { ...own(), barcode_value })).id;

async function cards(fields: api.TemplateFields = {}): Promise<api.Template> {
  const { id } = await harness.project();
  return harness.template(id, { barcode_id: 'MEM-{{member_no}}', ...fields });
}

/** What a wallet update does first. */
async function settled(id: string): Promise<string> {
  const { passes, templates } = harness.deps;
  const pass = await passes.find(harness.workspaceId, id);
  const template = await templates.find(harness.workspaceId, pass!.pass_template_id);
  return (await settleBarcode(harness.deps, pass!, template!)).barcode_value;
}

test('a value follows what its pattern is filled with, and the earlier one leads to the pass still', async () => {
  const template = await cards();
  const clientId = member('1');
  const { id, barcode_value } = await harness.pass(template, { client_id: clientId });
  expect(barcode_value).toBe('MEM-1');
  renumber(clientId, '2');
  expect(await settled(id)).toBe('MEM-2');
  expect(await Promise.all([leadsTo('MEM-1'), leadsTo('MEM-2')])).toEqual([id, id]);
  await updateTemplate(harness.deps, {
    ...own(),
    id: template.id,
    fields: { barcode_id: 'ZZ-{{member_no}}' } as api.TemplateFields,
  });
  expect(await settled(id)).toBe('ZZ-2');
  expect(await Promise.all(['MEM-1', 'MEM-2', 'ZZ-2'].map(leadsTo))).toEqual([id, id, id]);
});

test('no pass gets the value that another has, whatever is filled in', async () => {
  const template = await cards();
  const vera = await harness.pass(template, { client_id: member('V-777') });
  const mallorys = member('M-1');
  const mallory = await harness.pass(template, { client_id: mallorys });
  renumber(mallorys, 'V-777');
  const value = await settled(mallory.id);
  expect(value).toMatch(RANDOM);
  expect(await leadsTo('MEM-V-777')).toBe(vera.id);
  expect(await leadsTo(value)).toBe(mallory.id);
  expect(await settled(mallory.id)).toBe(value);
  await updatePass(harness.deps, { ...own(), id: mallory.id, pass_fields: { member_no: 'V-777' } });
  expect(await settled(mallory.id)).toBe(value);
});

test('of many passes that come to one value at once, one gets it and the others a random one', async () => {
  const template = await cards({ barcode_id: '{{member_no}}' });
  const tries = Array.from({ length: 6 }, () =>
    harness.pass(template, { client_id: member('same') }),
  );
  const values = (await Promise.all(tries)).map((pass) => pass.barcode_value);
  expect(values.filter((value) => value === 'same')).toHaveLength(1);
  expect(new Set(values).size).toBe(6);
});

test('of many passes whose value changes to the same at once, one gets it', async () => {
  const template = await cards({ barcode_id: '{{member_no}}' });
  const clients = Array.from({ length: 6 }, (_, index) => member(`no-${index}`));
  const made = await Promise.all(clients.map((client_id) => harness.pass(template, { client_id })));
  for (const clientId of clients) renumber(clientId, 'same');
  const values = await Promise.all(made.map(({ id }) => settled(id)));
  expect(values.filter((value) => value === 'same')).toHaveLength(1);
  for (const [index, pass] of made.entries())
    expect([await leadsTo(`no-${index}`), await leadsTo(values[index]!)]).toEqual([
      pass.id,
      pass.id,
    ]);
});

test('a value that cannot be filled any more gives way to a random one, and comes back', async () => {
  const clientId = member('1');
  const { id } = await harness.pass(await cards(), { client_id: clientId });
  renumber(clientId, null);
  const random = await settled(id);
  expect(random).toMatch(RANDOM);
  renumber(clientId, '1');
  expect(await settled(id)).toBe('MEM-1');
  renumber(clientId, null);
  expect(await settled(id)).toBe(random);
});

test('an earlier value leads on to the pass that has it now', async () => {
  const template = await cards();
  const clientId = member('1');
  const first = await harness.pass(template, { client_id: clientId });
  renumber(clientId, '2');
  await settled(first.id);
  const second = await harness.pass(template, { barcode_value: 'MEM-1' });
  expect(await leadsTo('MEM-1')).toBe(second.id);
  await deletePass(harness.deps, { ...own(), id: second.id });
  await expect(leadsTo('MEM-1')).rejects.toMatchObject({ httpStatus: 404 });
});

test('no visitor gets the earlier value of another pass by what they say in a form, neither on a new pass nor later', async () => {
  harness.peers.fieldsAsked.push('member_no');
  const template = await cards();
  const victim = member('1');
  const { id: victims } = await harness.pass(template, { client_id: victim });
  renumber(victim, '2');
  await settled(victims);
  const fresh = await harness.pass(template, { client_id: member('1') });
  expect(fresh.barcode_value).toMatch(RANDOM);
  const later = member('3');
  const { id } = await harness.pass(template, { client_id: later });
  renumber(later, '1');
  expect(await settled(id)).toMatch(RANDOM);
  expect(await leadsTo('MEM-1')).toBe(victims);
  // Their own earlier value is theirs still, and what the workspace gives is given.
  renumber(victim, '1');
  expect(await settled(victims)).toBe('MEM-1');
  renumber(victim, '2');
  await settled(victims);
  const given = await harness.pass(template, { barcode_value: 'MEM-1' });
  expect(await leadsTo('MEM-1')).toBe(given.id);
});

test('a value that the workspace alone fills in moves to the pass that it is filled in on now', async () => {
  const template = await cards();
  const former = member('1');
  const { id } = await harness.pass(template, { client_id: former });
  renumber(former, '2');
  await settled(id);
  const heir = await harness.pass(template, { client_id: member('1') });
  expect([heir.barcode_value, await leadsTo('MEM-1')]).toEqual(['MEM-1', heir.id]);
});

test('a value that the creator gave stays, whatever the pattern says', async () => {
  const template = await cards();
  const given = { client_id: member('1'), barcode_value: 'MYCODE-1' };
  const { id, barcode_value } = await harness.pass(template, given);
  expect(barcode_value).toBe('MYCODE-1');
  expect(await settled(id)).toBe('MYCODE-1');
});

test('a value that its barcode type cannot hold is refused where it was given, else random', async () => {
  const template = await cards({ barcode_type: 'code128', barcode_id: '{{member_no}}' });
  await expect(harness.pass(template, { barcode_value: 'Łódź' })).rejects.toMatchObject({
    httpStatus: 400,
    problems: [{ field: 'barcode_value' }],
  });
  const made = await harness.pass(template, { client_id: member('Łódź') });
  expect(made.barcode_value).toMatch(RANDOM);
});

test('a pass of an earlier version takes on what its card showed, and is found by both', async () => {
  const template = await cards();
  const { id } = await harness.pass(template, { client_id: member('1') });
  const stored = harness.connection.collection<{ _id: string }>('passes');
  const earlier = {
    $set: { barcode_value: 'MEM-OLD' },
    $unset: { barcode_given: 1, barcode_spare: 1 } as const,
  };
  await stored.updateOne({ _id: id }, earlier);
  expect(await settled(id)).toBe('MEM-1');
  expect(await leadsTo('MEM-OLD')).toBe(id);
});

test('a number that a visitor wrote into a form is theirs until staff or a member needs it', async () => {
  harness.peers.fieldsAsked.push('member_no');
  const template = await cards();
  const visitors = (member_no: string) =>
    harness.pass(template, { client_id: member(member_no) }, { to: 'visitor' });
  const [squatter, third] = [await visitors('7'), await visitors('9')];
  expect([squatter, third].map((pass) => pass.barcode_value)).toEqual(['MEM-7', 'MEM-9']);
  // Among visitors who came first has it.
  expect((await visitors('7')).barcode_value).toMatch(RANDOM);
  const made = await harness.pass(template, { client_id: member('7') });
  const renumbered = member('1');
  const { id } = await harness.pass(template, { client_id: renumbered });
  renumber(renumbered, '9');
  expect([made.barcode_value, await settled(id)]).toEqual(['MEM-7', 'MEM-9']);
  for (const [pass, number, owner] of [
    [squatter, 'MEM-7', made.id],
    [third, 'MEM-9', id],
  ] as const) {
    const value = await settled(pass.id);
    expect(value).toMatch(RANDOM);
    expect([await leadsTo(value), await leadsTo(number)]).toEqual([pass.id, owner]);
  }
});

test('a value that staff names is refused while any pass has it, a visitor its holder or not', async () => {
  harness.peers.fieldsAsked.push('member_no');
  const template = await cards();
  const holder = await harness.pass(template, { client_id: member('8') }, { to: 'visitor' });
  await expect(harness.pass(template, { barcode_value: 'MEM-8' })).rejects.toMatchObject({
    code: 'CONFLICT',
    problems: [{ field: 'barcode_value' }],
  });
  expect(await settled(holder.id)).toBe('MEM-8');
});
