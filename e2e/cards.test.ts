import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import type { Reply } from './support/api';
import {
  expectStatus,
  newClient,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { type Device, newAction, newApp, newDevice } from './support/mobile';
import { type IssuedPass, newTemplate, passOn } from './support/passes';
import { follow, openBundle, Phone } from './support/wallet';

const RANDOM = /^[\w-]{20}$/;

let workspace: TestWorkspace;
let device: Device;
beforeAll(async () => {
  workspace = await newWorkspace();
  const field = { field_name: 'member_no', field_label: 'Member number', field_type: 'text' };
  expectStatus(await workspace.post(':ws/data-model', field), 201);
  device = await newDevice(workspace);
});

const memberOf = (member_no: string) => newClient(workspace, { custom_fields: { member_no } });
const read = async (id: string): Promise<IssuedPass> =>
  expectStatus(await workspace.get(`/passes/${id}`), 200).body.data;
const scan = (value: string): Promise<Reply> =>
  device.get(`/mobile-app/passes/scan/${encodeURIComponent(value)}`);
const scanned = async (value: string): Promise<string> =>
  expectStatus(await scan(value), 200).body.data.id;

/** What the card shows on an iPhone and at Google. */
async function shown({ apple_pass_url, google_pass_url }: IssuedPass): Promise<string[]> {
  const [barcode] = openBundle((await follow(apple_pass_url)).bytes).pass.barcodes;
  const location = (await follow(google_pass_url)).headers.get('location')!;
  const claims = JSON.parse(Buffer.from(location.split('.').at(-2)!, 'base64url').toString());
  const [object] = Object.entries(claims.payload).find(([name]) =>
    name.endsWith('Objects'),
  )![1] as {
    barcode: { value: string };
  }[];
  return [barcode.message, object!.barcode.value];
}

/** The card of another value than the one it had; the cards of a changed client or template follow within seconds. */
const settledAs = (id: string, value: string): Promise<IssuedPass> =>
  until(async () => {
    const pass = await read(id);
    return pass.barcode_value === value ? pass : null;
  });

describe('the barcode of a card', () => {
  test('is the value of its pass, and leads to no other client, also for two of one name', async () => {
    const template = await newTemplate(workspace, { barcode_id: '{{last_name}}' });
    const last_name = `Smith-${randomUUID()}`;
    for (let count = 0; count < 2; count += 1) {
      const client = await newClient(workspace, { last_name });
      const pass = await passOn(workspace, template, { client_id: client.id });
      expect(await shown(pass)).toEqual([pass.barcode_value, pass.barcode_value]);
      expect(await scanned(pass.barcode_value)).toBe(pass.id);
    }
  });

  test('follows the client and the template, and the card before it is found still', async () => {
    const [before, after] = [randomUUID(), randomUUID()];
    const template = await newTemplate(workspace, { barcode_id: 'MEM-{{member_no}}' });
    const client = await memberOf(before);
    const { id } = await passOn(workspace, template, { client_id: client.id });
    const changes = { custom_fields: { member_no: after } };
    expectStatus(await workspace.patch(`:ws/clients/${client.id}`, changes), 200);
    const changed = await settledAs(id, `MEM-${after}`);
    expect(await shown(changed)).toEqual([`MEM-${after}`, `MEM-${after}`]);
    const pattern = { barcode_id: 'ZZ-{{member_no}}' };
    expectStatus(await workspace.patch(`/pass-templates/${template.id}`, pattern), 200);
    await settledAs(id, `ZZ-${after}`);
    for (const value of [`MEM-${before}`, `MEM-${after}`, `ZZ-${after}`])
      expect(await scanned(value)).toBe(id);
  });

  test('follows a migration to another template', async () => {
    const number = randomUUID();
    const [from, to] = [
      await newTemplate(workspace, { barcode_id: 'A-{{member_no}}' }),
      await newTemplate(workspace, { barcode_id: 'B-{{member_no}}' }),
    ];
    const { id } = await passOn(workspace, from, { client_id: (await memberOf(number)).id });
    const migrate = { target_template_id: to.id };
    expectStatus(await workspace.post(`/templates/${from.id}/migrate-and-delete`, migrate), 200);
    await settledAs(id, `B-${number}`);
    expect(await scanned(`A-${number}`)).toBe(id);
  });

  test('never is what somebody else has, whatever somebody says of themselves', async () => {
    const number = randomUUID();
    const template = await newTemplate(workspace, { barcode_id: 'MEM-{{member_no}}' });
    const vera = await passOn(workspace, template, { client_id: (await memberOf(number)).id });
    const mallory = await passOn(workspace, template, { client_id: (await memberOf(number)).id });
    expect(mallory.barcode_value).toMatch(RANDOM);
    expect(await shown(mallory)).toEqual([mallory.barcode_value, mallory.barcode_value]);
    expect(await scanned(`MEM-${number}`)).toBe(vera.id);
  });

  test('is what the creator gave, and refused where it is taken or cannot be shown', async () => {
    const barcode_value = `MYCODE-${randomUUID()}`;
    const template = await newTemplate(workspace, { barcode_id: '{{first_name}}' });
    const pass = await passOn(workspace, template, { barcode_value });
    expect(await shown(pass)).toEqual([barcode_value, barcode_value]);
    const { id: pass_template_id, project_id } = template;
    const again = { project_id, pass_template_id, barcode_value };
    const taken = expectStatus(await workspace.post(':ws/passes', again), 409);
    expect(taken.body.errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      field: 'barcode_value',
    });
    const lines = await newTemplate(workspace, { barcode_type: 'code128' });
    const unfit = { project_id, pass_template_id: lines.id, barcode_value: 'Łódź' };
    const refused = expectStatus(await workspace.post(':ws/passes', unfit), 400);
    expect(refused.body.errors[0].extensions.field).toBe('barcode_value');
  });

  test('is read as UTF-8 where it needs to be, and random where Code 128 cannot hold it', async () => {
    const member = () => memberOf(`Łukasiewicz-${randomUUID()}`);
    const cardOn = async (barcode_type: 'qr' | 'code128') => {
      const design = { barcode_id: '{{member_no}}', barcode_type };
      const template = await newTemplate(workspace, design);
      const pass = await passOn(workspace, template, { client_id: (await member()).id });
      return openBundle((await follow(pass.apple_pass_url)).bytes).pass.barcodes[0];
    };
    expect(await cardOn('qr')).toMatchObject({
      message: expect.stringMatching(/^Łuk/),
      messageEncoding: 'utf-8',
    });
    expect(await cardOn('code128')).toMatchObject({
      message: expect.stringMatching(RANDOM),
      messageEncoding: 'iso-8859-1',
    });
  });

  test('whose pattern is the same for everybody is a warning', async () => {
    const { project_id } = await newTemplate(workspace);
    const design = { project_id, name: 'Static', barcode_id: 'ABC' };
    const { body } = expectStatus(await workspace.post(':ws/pass-templates', design), 201);
    expect(body.meta.warnings).toEqual([
      { field: 'barcode_id', placeholder: 'ABC', message: expect.any(String) },
    ]);
    const pass = await passOn(workspace, body.data);
    expect(await shown(pass)).toEqual([pass.barcode_value, pass.barcode_value]);
    expect(pass.barcode_value).toMatch(RANDOM);
  });
});

describe('a text that is pushed', () => {
  const newsOf = async (pass: IssuedPass): Promise<string> => {
    const { storeCard } = openBundle((await follow(pass.apple_pass_url)).bytes).pass;
    return storeCard.backFields[0].value;
  };

  test('is filled for the client of the pass, and reaches the phone each time it is sent', async () => {
    const client = await newClient(workspace, { first_name: 'Ada' });
    const pass = await passOn(workspace, await newTemplate(workspace), { client_id: client.id });
    const held = openBundle((await follow(pass.apple_pass_url)).bytes).pass;
    const phone = new Phone(randomUUID(), held);
    expectStatus(await phone.register(), 201);
    let { lastUpdated } = expectStatus(await phone.changed(), 200).body;
    const values = new Set<string>();
    for (let sent = 0; sent < 2; sent += 1) {
      const text = { notification: 'Sale today, {{first_name}}' };
      const { body } = expectStatus(await workspace.patch(`/passes/${pass.id}`, text), 200);
      expect(body.data.notification).toBe('Sale today, Ada');
      const told = await until(async () => {
        const reply = await phone.changed(lastUpdated);
        return reply.status === 200 && reply;
      });
      lastUpdated = told.body.lastUpdated;
      values.add(await newsOf(pass));
    }
    expect([...values].map((value) => value.replaceAll('\u200b', ''))).toEqual([
      'Sale today, Ada',
      'Sale today, Ada',
    ]);
  });

  test('is no news where a change names nothing', async () => {
    const pass = await passOn(workspace, await newTemplate(workspace));
    const { body } = expectStatus(await workspace.patch(`/passes/${pass.id}`, {}), 200);
    expect(body.data.date_updated).toBe(pass.date_updated);
  });
});

describe('pushes', () => {
  test('are listed with what became of them, and asked for again', async () => {
    const pass = await passOn(workspace, await newTemplate(workspace));
    const other = await newWorkspace();
    const listed = async (query: Record<string, string> = {}) =>
      expectStatus(await workspace.get(':ws/pushes', { pass_id: pass.id, ...query }), 200).body;
    expect((await listed()).data).toEqual([]);
    expectStatus(await workspace.patch(`/passes/${pass.id}`, { notification: 'Hello' }), 200);
    const push = await until(async () => (await listed({ status: 'sent' })).data[0]);
    expect(push).toMatchObject({ pass_id: pass.id, status: 'sent', attempts: 0, error: null });
    expect(push.notification).toBe('Hello');
    const retried = expectStatus(await workspace.post(`:ws/pushes/${push.id}/retry`, {}), 202);
    expect(retried.body.data).toMatchObject({ id: push.id, pass_id: pass.id });
    expectStatus(await other.post(`:ws/pushes/${push.id}/retry`, {}), 404);
    expect(expectStatus(await other.get(':ws/pushes'), 200).body.data).toEqual([]);
    expectStatus(await workspace.get(':ws/pushes', { status: 'lost' }), 400);
    const foreign = expectStatus(await other.get(':ws/pushes', { pass_id: pass.id }), 400);
    expect(foreign.body.errors[0].extensions.field).toBe('pass_id');
  });

  test('are paged by cursor', async () => {
    const own = await newWorkspace();
    const template = await newTemplate(own);
    for (let count = 0; count < 3; count += 1) {
      const { id } = await passOn(own, template);
      expectStatus(await own.patch(`/passes/${id}`, { notification: 'Hello' }), 200);
    }
    const page = async (query: Record<string, string | number>) =>
      expectStatus(await own.get(':ws/pushes', query), 200).body;
    const first = await page({ limit: 2 });
    const second = await page({ limit: 2, cursor: first.meta.next_cursor });
    const ids = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    expect([new Set(ids).size, first.meta.total]).toEqual([3, 3]);
  });
});

describe('a template', () => {
  const create = async (design: object) => {
    const { project_id } = await newTemplate(workspace);
    return workspace.post(':ws/pass-templates', { project_id, name: 'Card', ...design });
  };

  test('has a warning for what wallets will not show', async () => {
    const line = { label: 'L', value: 'v' };
    const place = { latitude: 1, longitude: 1 };
    const { body } = expectStatus(
      await create({
        logo_text: 'Hi {{first_name',
        back_sections_order: ['bogus'],
        front_fields: Array.from({ length: 50 }, () => line),
        locations: Array.from({ length: 30 }, () => place),
        apple_pass_type_identifier: 'not valid id!!',
      }),
      201,
    );
    const fields = body.meta.warnings.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual([
      'apple_pass_type_identifier',
      'back_sections_order.0',
      'front_fields',
      'locations',
      'logo_text',
    ]);
  });

  test.each([
    'javascript:alert(1)',
    'DATA:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:http://x',
    'view-source:javascript:alert(1)',
  ])('opens no app by %s', async (ios_deeplink_url) => {
    const { body } = expectStatus(await create({ ios_deeplink_url }), 400);
    expect(body.errors[0].extensions.field).toBe('ios_deeplink_url');
  });

  test.each(['https://app.example.com/open', 'acme://card'])('opens an app by %s', async (url) => {
    expectStatus(await create({ ios_deeplink_url: url }), 201);
  });
});

describe('a renamed workspace', () => {
  test('has its new name on the cards that are out', async () => {
    const own = await newWorkspace();
    const pass = await passOn(own, await newTemplate(own));
    const held = openBundle((await follow(pass.apple_pass_url)).bytes).pass;
    const phone = new Phone(randomUUID(), held);
    expectStatus(await phone.register(), 201);
    const { lastUpdated } = expectStatus(await phone.changed(), 200).body;
    const name = `Renamed ${randomUUID()}`;
    expectStatus(await own.patch(':ws', { name }), 200);
    await until(async () => (await phone.changed(lastUpdated)).status === 200);
    // What it hears first may be of something older.
    await until(
      async () => openBundle((await phone.latest()).bytes).pass.organizationName === name,
    );
  });
});

describe('a pass that ends', () => {
  const bundleOf = async ({ apple_pass_url }: Pick<IssuedPass, 'apple_pass_url'>) =>
    openBundle(expectStatus(await follow(apple_pass_url), 200).bytes).pass;
  const newCard = async (design: object = {}) => {
    const template = await newTemplate(workspace, design);
    const client = await newClient(workspace, { first_name: 'Ada' });
    return passOn(workspace, template, { client_id: client.id });
  };

  test('is voided and restored, at once on phones and in lists', async () => {
    const pass = await newCard();
    expect(pass).toMatchObject({ status: 'active', expires_at: null });
    const voided = expectStatus(await workspace.post(`/passes/${pass.id}/void`, {}), 200);
    expect(voided.body.data).toMatchObject({ id: pass.id, status: 'voided' });
    expect(await bundleOf(pass)).toMatchObject({ voided: true });
    const listed = expectStatus(await workspace.get(':ws/passes'), 200).body.data;
    expect(listed.find(({ id }: IssuedPass) => id === pass.id)).toMatchObject({ status: 'voided' });
    const restored = expectStatus(await workspace.post(`/passes/${pass.id}/restore`, {}), 200);
    expect(restored.body.data.status).toBe('active');
    expect(await bundleOf(pass)).not.toHaveProperty('voided');
  });

  test('has its end from the template it was made on, and another by a change', async () => {
    const { expires_at, date_created, ...pass } = await newCard({ expires_after_days: 30 });
    expect(Date.parse(expires_at!) - Date.parse(date_created)).toBe(30 * 86_400_000);
    expect((await bundleOf(pass)).expirationDate).toBe(expires_at);
    const change = { expires_at: null, status: 'voided' };
    const changed = expectStatus(await workspace.patch(`/passes/${pass.id}`, change), 200);
    expect(changed.body.data).toMatchObject(change);
    for (const [field, wrong] of [
      ['status', { status: 'gone' }],
      ['expires_at', { expires_at: 'soon' }],
    ] as const) {
      const { body } = expectStatus(await workspace.patch(`/passes/${pass.id}`, wrong), 400);
      expect(body.errors[0].extensions.field).toBe(field);
    }
  });

  test.each([
    ['voided', { status: 'voided' }],
    ['expired', { expires_at: '2020-01-01T00:00:00.000Z' }],
  ])('that is %s is scanned still, and nothing can be done with it', async (_what, change) => {
    const own = await newWorkspace();
    await newWalletType(own);
    await newApp(own);
    const app = await newDevice(own);
    const action = await newAction(own, { action_type: 'add_points' });
    const template = await newTemplate(own);
    const client = await newClient(own, { loyalty_program_enabled: true });
    const pass = await passOn(own, template, { client_id: client.id });
    expectStatus(await own.patch(`/passes/${pass.id}`, change), 200);
    const seen = await app.get(`/mobile-app/passes/scan/${pass.barcode_value}`);
    expect(expectStatus(seen, 200).body.data).toMatchObject({ id: pass.id, ...change });
    const refused = expectStatus(await app.run(action.id, pass.id, { points: 5 }), 409);
    expect(refused.body.errors[0].extensions.code).toBe('CONFLICT');
    expectStatus(
      await own.patch(`/passes/${pass.id}`, { status: 'active', expires_at: null }),
      200,
    );
    expectStatus(await app.run(action.id, pass.id, { points: 5 }), 200);
  });

  test.each([
    ['the pass', (pass: IssuedPass) => workspace.del(`/passes/${pass.id}`)],
    ['its client', (pass: IssuedPass) => workspace.del(`:ws/clients/${pass.client_id}`)],
    [
      'the name of its client',
      (pass: IssuedPass) => workspace.post(`:ws/clients/${pass.client_id}/anonymize`, {}),
    ],
  ])('with %s leaves an empty, voided card on phones', async (_what, end) => {
    const design = { front_fields: [{ label: 'Member', value: '{{first_name}}' }] };
    const pass = await newCard(design);
    const phone = new Phone(randomUUID(), await bundleOf(pass));
    expectStatus(await phone.register(), 201);
    const { lastUpdated } = expectStatus(await phone.changed(), 200).body;
    expect((await end(pass)).status).toBeLessThan(300);
    await until(async () => (await phone.changed(lastUpdated)).status === 200);
    // What it hears first may be of something older.
    const latest = await until(async () => {
      const { pass } = openBundle(expectStatus(await phone.latest(), 200).bytes);
      return pass.voided === true && pass;
    });
    expect(latest).toMatchObject({ storeCard: { primaryFields: [] } });
    expect(JSON.stringify(latest)).not.toContain('Ada');
    expect(await bundleOf(pass)).toMatchObject({ voided: true });
    expectStatus(await follow(pass.google_pass_url), 404);
  });
});
