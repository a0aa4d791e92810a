import { newId } from '@laurel/lifecycle';
import { underOneKey } from '@laurel/testing';
import { createHarness, type Harness } from '../../testing/harness';
import { endTemporaryTemplates } from '../template/end-temporary-templates';
import { deletePass } from './delete-pass';
import { listOfferedPasses } from './list-offered-passes';
import { getPass, listPasses, listPassesOfClients } from './read-passes';
import { updatePass } from './update-pass';

const DAY_MS = 86_400_000;

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const own = () => ({ workspace_id: harness.workspaceId });
const read = (id: string) => getPass(harness.deps, { ...own(), id, with_client: false });

async function newTemplates(count: number) {
  const { id } = await harness.project();
  return Promise.all(Array.from({ length: count }, () => harness.template(id)));
}

test('a client is led to those of their cards again that still count, by the wallets that work', async () => {
  const templates = await newTemplates(4);
  const clientId = harness.client();
  const soon = new Date(harness.clock.now().getTime() + DAY_MS).toISOString();
  const [kept, expiring, voided] = await Promise.all(
    templates.map((template) => harness.pass(template, { client_id: clientId })),
  );
  await harness.pass(templates[0]!, { client_id: harness.client() });
  await updatePass(harness.deps, { ...own(), id: expiring!.id, expires_at: soon });
  await updatePass(harness.deps, { ...own(), id: voided!.id, status: 'voided' });
  const offered = async (deps = harness.deps) =>
    (await listOfferedPasses(deps, { ...own(), client_id: clientId })).passes;
  expect((await offered()).map(({ pass_id }) => pass_id)).toContain(expiring!.id);
  harness.clock.advanceMs(DAY_MS);
  const ids = (await offered()).map(({ pass_id }) => pass_id);
  expect(ids).toContain(kept!.id);
  expect(ids).toHaveLength(2);
  expect(ids).not.toEqual(expect.arrayContaining([voided!.id]));
  const [onlyGoogle] = await offered({
    ...harness.deps,
    walletsOffered: async () => ({ apple: false, google: true }),
  });
  expect(onlyGoogle).toMatchObject({ name: 'Corner', apple_pass_url: null });
  expect(onlyGoogle!.google_pass_url).toContain(onlyGoogle!.pass_id);
});

describe('a new pass', () => {
  test('has a barcode value that cannot be guessed, four signed links, and an event', async () => {
    const [template] = await newTemplates(1);
    const clientId = harness.client();
    const pass = await harness.pass(template!, { client_id: clientId });
    expect(pass.barcode_value).toMatch(/^[\w-]{20}$/);
    expect(pass.apple_pass_url).toMatch(new RegExp(`/p/${pass.id}/[\\w-]{22}/apple$`));
    expect(pass.computed_metrics).toEqual({ transaction_count: 2, total_spending: 12.5 });
    const [created] = await harness.told('passes.pass_created');
    expect(created?.data).toEqual({
      pass_id: pass.id,
      client_id: clientId,
      pass_template_id: template!.id,
      project_id: template!.project_id,
      pass_revision: 1,
    });
  });

  test('is the only one of its client on the template, however many are asked for at once', async () => {
    const [template] = await newTemplates(1);
    const clientId = harness.client();
    const tries = Array.from({ length: 8 }, () => harness.pass(template!, { client_id: clientId }));
    const results = await Promise.allSettled(tries);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(7);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ code: 'CONFLICT', problems: [{ field: 'client_id' }] });
    expect(await harness.told('passes.pass_created')).toHaveLength(1);
  });

  test('has the barcode value that the template makes of its client, where that is free', async () => {
    const { id } = await harness.project();
    const template = await harness.template(id, { barcode_id: 'C-{{card_number}}' });
    const clientOf = (card_number: number) => harness.client({ custom_fields: { card_number } });
    const [one, twin] = [clientOf(7), clientOf(7)];
    expect((await harness.pass(template, { client_id: one })).barcode_value).toBe('C-7');
    expect((await harness.pass(template, { client_id: twin })).barcode_value).toMatch(
      /^[\w-]{20}$/,
    );
  });

  test('has a barcode value of its own in the workspace', async () => {
    const [template] = await newTemplates(1);
    await harness.pass(template!, { barcode_value: 'card-1' });
    await expect(harness.pass(template!, { barcode_value: 'card-1' })).rejects.toMatchObject({
      code: 'CONFLICT',
      problems: [{ field: 'barcode_value' }],
    });
  });

  test.each(['project_id', 'pass_template_id', 'client_id'])(
    'needs a %s of the workspace',
    async (field) => {
      const [template] = await newTemplates(1);
      await expect(harness.pass(template!, { [field]: newId() })).rejects.toMatchObject({
        httpStatus: 400,
        problems: [{ field }],
      });
    },
  );

  test('needs a template of its project', async () => {
    const [template] = await newTemplates(1);
    const other = await harness.project();
    await expect(harness.pass(template!, { project_id: other.id })).rejects.toMatchObject({
      httpStatus: 400,
      problems: [{ field: 'pass_template_id' }],
    });
  });

  test('keeps overrides of any name as they came, also for a repeat under one key', async () => {
    const [template] = await newTemplates(1);
    const fields = { 'a.b': 1, $set: { x: null }, list: [1, 'two'] };
    const create = underOneKey(() => harness.pass(template!, { pass_fields: fields }));
    const first = await create();
    expect((await read(first.id)).pass_fields).toEqual(fields);
    expect(await create()).toEqual(first);
  });

  test('answers who repeats it or its change, though their client is gone by then', async () => {
    const [template] = await newTemplates(1);
    const [clientId, nextId] = [harness.client(), harness.client()];
    const create = underOneKey(() => harness.pass(template!, { client_id: clientId }));
    const { id } = await create();
    const change = underOneKey(() => updatePass(harness.deps, { ...own(), id, client_id: nextId }));
    await change();
    for (const gone of [clientId, nextId]) harness.peers.clients.delete(gone);
    expect(await create()).toMatchObject({ id, client_id: clientId });
    expect(await change()).toMatchObject({ id, client_id: nextId });
    expect(await harness.told('passes.pass_created')).toHaveLength(1);
    for (const client_id of [clientId, nextId]) {
      const refused = { httpStatus: 400, problems: [{ field: 'client_id' }] };
      await expect(harness.pass(template!, { client_id })).rejects.toMatchObject(refused);
    }
  });
});

test('a client who was anonymized is given no pass, neither a new one nor one that is there', async () => {
  const [template] = await newTemplates(1);
  const client_id = harness.client({ status: 'anonymized' });
  const refused = {
    httpStatus: 400,
    problems: [{ field: 'client_id', extensions: { reason: 'client_anonymized' } }],
  };
  await expect(harness.pass(template!, { client_id })).rejects.toMatchObject(refused);
  const { id } = await harness.pass(template!);
  await expect(updatePass(harness.deps, { ...own(), id, client_id })).rejects.toMatchObject(
    refused,
  );
  expect(await read(id)).toMatchObject({ client_id: null, status: 'active' });
  expect(await harness.told('passes.pass_created')).toHaveLength(1);
});

describe('lists', () => {
  test('are newest first and paged by cursor without gaps, and end with their last full page', async () => {
    const [template] = await newTemplates(1);
    const made: string[] = [];
    for (let count = 0; count < 6; count += 1) made.unshift((await harness.pass(template!)).id);
    const request = { ...own(), limit: 2, offset: 0 };
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await listPasses(harness.deps, { ...request, ...(cursor ? { cursor } : {}) });
      expect(page.total).toBe(6);
      expect(page.passes).toHaveLength(2);
      seen.push(...page.passes.map((pass) => pass.id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(seen).toEqual(made);
  });
});

describe('a temporary template', () => {
  test('ends by itself, once, and the trail hears of both changes', async () => {
    const [home, away] = await newTemplates(2);
    const clientId = harness.client();
    const { id } = await harness.pass(home!, { client_id: clientId });
    const switched = await updatePass(harness.deps, {
      ...own(),
      id,
      pass_template_id: away!.id,
      duration_days: 7,
    });
    expect(switched).toMatchObject({
      pass_template_id: away!.id,
      previous_template_id: home!.id,
      template_expires_at: new Date(harness.clock.now().getTime() + 7 * DAY_MS).toISOString(),
    });
    await endTemporaryTemplates(harness.deps);
    expect(await read(id)).toMatchObject({ pass_template_id: away!.id });
    harness.clock.advanceMs(7 * DAY_MS);
    await Promise.all([endTemporaryTemplates(harness.deps), endTemporaryTemplates(harness.deps)]);
    expect(await read(id)).toMatchObject({
      pass_template_id: home!.id,
      previous_template_id: null,
      template_expires_at: null,
    });
    const told = await harness.told('passes.pass_updated');
    expect(told).toHaveLength(2);
    // Each says how often the pass had been written by then: which is the later is not left to clocks.
    const revisions = told.map(({ data }) => (data as { pass_revision: number }).pass_revision);
    expect(revisions[1]!).toBeGreaterThan(revisions[0]!);
    const { revision } = (await harness.deps.passes.find(harness.workspaceId, id))!;
    expect(revisions[1]!).toBeLessThanOrEqual(revision);
    for (const event of [...told, ...told]) await harness.deliver(event);
    const changes = harness.peers.trail.filter((entry) => entry.pass_id === id);
    const ids = new Set(changes.map((entry) => entry.id));
    expect(ids.size).toBe(2);
    // The trail tells of them under these ids: who has heard of an id hears of it no more.
    for (const event of told) expect(ids).not.toContain(event.id);
    expect(changes.at(0)).toMatchObject({
      client_id: clientId,
      event_category: 'pass_lifecycle',
      event_type: 'template_changed',
      old_value: home!.id,
      new_value: away!.id,
    });
  });

  test('on top of another one goes back to where the pass was before both', async () => {
    const [home, away, farther] = await newTemplates(3);
    const { id } = await harness.pass(home!);
    const switchTo = (pass_template_id: string) =>
      updatePass(harness.deps, { ...own(), id, pass_template_id, duration_days: 1 });
    await switchTo(away!.id);
    expect(await switchTo(farther!.id)).toMatchObject({ previous_template_id: home!.id });
    expect(await switchTo(home!.id)).toMatchObject({
      pass_template_id: home!.id,
      previous_template_id: null,
      template_expires_at: null,
    });
  });

  test('stays where the client has got another pass on the template before it', async () => {
    const [home, away] = await newTemplates(2);
    const clientId = harness.client();
    const { id } = await harness.pass(home!, { client_id: clientId });
    await updatePass(harness.deps, {
      ...own(),
      id,
      pass_template_id: away!.id,
      duration_days: 1,
    });
    await harness.pass(home!, { client_id: clientId });
    harness.clock.advanceMs(DAY_MS);
    await endTemporaryTemplates(harness.deps);
    expect(await read(id)).toMatchObject({
      pass_template_id: away!.id,
      template_expires_at: null,
      previous_template_id: null,
    });
  });
});

describe('a changed pass', () => {
  test('is owed a wallet update, and is not handed to a client that has one on the template', async () => {
    const [template] = await newTemplates(1);
    const [ada, bea] = [harness.client(), harness.client()];
    const { id } = await harness.pass(template!, { client_id: ada });
    await harness.pass(template!, { client_id: bea });
    expect(await harness.owed()).toEqual([]);
    await updatePass(harness.deps, { ...own(), id, notification: 'Hello' });
    expect(await harness.owed()).toEqual([id]);
    await expect(updatePass(harness.deps, { ...own(), id, client_id: bea })).rejects.toMatchObject({
      code: 'CONFLICT',
      problems: [{ field: 'client_id' }],
    });
  });

  test('loses no change of two made at once', async () => {
    const [template] = await newTemplates(1);
    const { id } = await harness.pass(template!);
    await Promise.all([
      updatePass(harness.deps, { ...own(), id, notification: 'Hello' }),
      updatePass(harness.deps, { ...own(), id, pass_fields: { a: 1 } }),
    ]);
    expect(await read(id)).toMatchObject({ notification: 'Hello', pass_fields: { a: 1 } });
  });

  test('of another workspace is unknown', async () => {
    const [template] = await newTemplates(1);
    const { id } = await harness.pass(template!);
    const foreign = { workspace_id: newId(), id };
    const unknown = { code: 'RECORD_NOT_FOUND' };
    await expect(updatePass(harness.deps, { ...foreign, notification: 'x' })).rejects.toMatchObject(
      unknown,
    );
    await expect(deletePass(harness.deps, foreign)).rejects.toMatchObject(unknown);
    const request = { workspace_id: foreign.workspace_id, client_ids: [newId()] };
    expect((await listPassesOfClients(harness.deps, request)).passes).toEqual([]);
  });
});
