import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { call } from './support/api';
import {
  expectStatus,
  newClient,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { mailsTo, mailTo } from './support/mails';
import { newProject, newTemplate, passOn } from './support/passes';
import { expectRefusal } from './support/referrals';

let workspace: TestWorkspace;
let stranger: TestWorkspace;
beforeAll(async () => {
  [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
});

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
const read = async (id: string, query = {}) =>
  expectStatus(await workspace.get(`/passes/${id}`, query), 200).body.data;
const change = (id: string, body: object) => workspace.patch(`/passes/${id}`, body);
const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id);

async function newPassOf(clientId: string | null = null, overrides: object = {}) {
  const template = await newTemplate(workspace);
  return passOn(workspace, template, { client_id: clientId, ...overrides });
}

describe('a pass', () => {
  test('is answered with every field, a barcode value of its own and signed links', async () => {
    const template = await newTemplate(workspace);
    const client = await newClient(workspace);
    const pass = await passOn(workspace, template, {
      workspace_id: workspace.workspaceId,
      client_id: client.id,
      pass_fields: { level: 'top' },
    });
    const link = (kind: string) =>
      expect.stringMatching(new RegExp(`/p/${pass.id}/[\\w-]+/${kind}$`));
    expect(pass).toEqual({
      id: expect.any(String),
      workspace_id: workspace.workspaceId,
      project_id: template.project_id,
      pass_template_id: template.id,
      client_id: client.id,
      notification: null,
      pass_fields: { level: 'top' },
      barcode_value: expect.stringMatching(/^[\w-]{20,}$/),
      status: 'active',
      expires_at: null,
      template_expires_at: null,
      previous_template_id: null,
      computed_metrics: { transaction_count: 0, total_spending: 0 },
      apple_pass_url: link('apple'),
      apple_qrcode_url: link('apple.png'),
      google_pass_url: link('google'),
      google_qrcode_url: link('google.png'),
      date_created: timestamp,
      date_updated: timestamp,
      user_created: workspace.owner.id,
      user_updated: null,
    });
    for (const text of [pass.barcode_value, pass.apple_pass_url, pass.google_pass_url])
      expect(text).not.toContain(client.id);
    expect(await read(pass.id)).toEqual(pass);
    const { client: expanded, ...rest } = await read(pass.id, { fields: '*,client.*' });
    expect(rest).toEqual(pass);
    expect(expanded).toMatchObject({ id: client.id, email: client.email });
  });

  test.each([
    [{ project_id: undefined }, 'project_id'],
    [{ project_id: randomUUID() }, 'project_id'],
    [{ pass_template_id: undefined }, 'pass_template_id'],
    [{ pass_template_id: randomUUID() }, 'pass_template_id'],
    [{ client_id: randomUUID() }, 'client_id'],
    [{ client_id: 'x' }, 'client_id'],
    [{ pass_fields: [] }, 'pass_fields'],
    [{ barcode_value: '' }, 'barcode_value'],
    [{ workspace_id: randomUUID() }, 'workspace_id'],
    [{ notification: 'x' }, 'notification'],
  ])('is refused for what is wrong: %j', async (wrong, field) => {
    const { id: pass_template_id, project_id } = await newTemplate(workspace);
    const body = { project_id, pass_template_id, ...wrong };
    expectRefusal(await workspace.post(':ws/passes', body), 400, 'INVALID_PAYLOAD', field);
  });

  test('is changed with the workspace that it is of in the body, and with no other', async () => {
    const { id: pass_template_id, project_id } = await newTemplate(workspace);
    const body = { project_id, pass_template_id };
    const { id } = expectStatus(await workspace.post(':ws/passes', body), 201).body.data;
    const { workspaceId: workspace_id } = workspace;
    const changed = await change(id, { workspace_id, pass_fields: { note: 'x' } });
    expect(expectStatus(changed, 200).body.data.pass_fields).toEqual({ note: 'x' });
    const foreign = await change(id, { workspace_id: randomUUID(), pass_fields: {} });
    expectRefusal(foreign, 400, 'INVALID_PAYLOAD', 'workspace_id');
  });

  test('shows some lines of its own, no documents: pass_fields of 70 kB are refused', async () => {
    const { id: pass_template_id, project_id } = await newTemplate(workspace);
    const pass_fields = { note: 'x'.repeat(70_000) };
    const body = { project_id, pass_template_id };
    const long = await workspace.post(':ws/passes', { ...body, pass_fields });
    expectRefusal(long, 400, 'INVALID_PAYLOAD', 'pass_fields');
    const { id } = expectStatus(await workspace.post(':ws/passes', body), 201).body.data;
    const later = await workspace.patch(`/passes/${id}`, { pass_fields });
    expectRefusal(later, 400, 'INVALID_PAYLOAD', 'pass_fields');
  });

  test('needs a template of its project, and nothing of another workspace', async () => {
    const { id: pass_template_id, project_id } = await newTemplate(workspace);
    const foreign = await newTemplate(stranger);
    const post = (body: object) =>
      workspace.post(':ws/passes', { project_id, pass_template_id, ...body });
    const other = { project_id: await newProject(workspace) };
    expectRefusal(await post(other), 400, 'INVALID_PAYLOAD', 'pass_template_id');
    const theirs = { project_id: foreign.project_id };
    expectRefusal(await post(theirs), 400, 'INVALID_PAYLOAD', 'project_id');
    const template = { pass_template_id: foreign.id };
    expectRefusal(await post(template), 400, 'INVALID_PAYLOAD', 'pass_template_id');
    const client = { client_id: (await newClient(stranger)).id };
    expectRefusal(await post(client), 400, 'INVALID_PAYLOAD', 'client_id');
  });

  test('is the only one of its client on the template, however many ask at once', async () => {
    const { id: pass_template_id, project_id } = await newTemplate(workspace);
    const body = { project_id, pass_template_id, client_id: (await newClient(workspace)).id };
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => workspace.post(':ws/passes', body)),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test('is created once for one Idempotency-Key', async () => {
    const { id: pass_template_id, project_id } = await newTemplate(workspace);
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { project_id, pass_template_id };
    const first = expectStatus(await workspace.post(':ws/passes', body, headers), 201);
    const second = expectStatus(await workspace.post(':ws/passes', body, headers), 201);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('does not exist for strangers, nor once it is deleted', async () => {
    const { id } = await newPassOf();
    const unknown = (await stranger.get(`/passes/${randomUUID()}`)).body;
    for (const reply of [
      await stranger.get(`/passes/${id}`),
      await stranger.patch(`/passes/${id}`, { notification: 'x' }),
      await stranger.del(`/passes/${id}`),
    ])
      expect(expectStatus(reply, 404).body).toEqual(unknown);
    expectStatus(await call('GET', `/passes/${id}`), 403);
    expect(expectStatus(await workspace.del(`/passes/${id}`), 200).body).toEqual({
      message: expect.any(String),
    });
    expectRefusal(await workspace.get(`/passes/${id}`), 404, 'RECORD_NOT_FOUND');
  });
});

describe('a changed pass', () => {
  test('keeps its text, overrides and client', async () => {
    const { id } = await newPassOf();
    const client = await newClient(workspace);
    const body = { notification: 'Hello', pass_fields: { a: 1 }, client_id: client.id };
    const changed = expectStatus(await change(id, body), 200).body.data;
    expect(changed).toMatchObject({ ...body, user_updated: workspace.owner.id });
    expect(await read(id)).toEqual(changed);
    const { data } = (await workspace.get(`:ws/clients/${client.id}/passes`)).body;
    expect(idsOf(data)).toEqual([id]);
  });

  test('shows a temporary template, and the trail of its client and webhooks say so', async () => {
    const client = await newClient(workspace);
    const hook = {
      url: 'https://example.com/hook',
      event_types: ['pass_lifecycle.template_changed'],
    };
    const { id: hookId } = expectStatus(await workspace.post(':ws/webhooks', hook), 201).body.data;
    const pass = await newPassOf(client.id);
    const { id: pass_template_id } = await newTemplate(workspace);
    const body = { pass_template_id, duration_days: 7 };
    const { data } = expectStatus(await change(pass.id, body), 200).body;
    expect(data).toMatchObject({ pass_template_id, previous_template_id: pass.pass_template_id });
    const days = (Date.parse(data.template_expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 1);
    const query = { event_category: 'pass_lifecycle', event_type: 'template_changed' };
    const [event] = await until(async () => {
      const reply = await workspace.get(`:ws/clients/${client.id}/events`, query);
      return reply.body.data.length > 0 && reply.body.data;
    });
    expect(event).toMatchObject({
      pass_id: pass.id,
      source: 'api',
      old_value: pass.pass_template_id,
      new_value: pass_template_id,
    });
    const told = async () => (await workspace.get(`:ws/webhooks/${hookId}/deliveries`)).body.data;
    await until(async () => (await told()).length > 0);
  });

  test.each([
    [{ duration_days: 7 }],
    [{ pass_template_id: randomUUID() }],
    [{ client_id: randomUUID() }],
    [{ notification: 5 }],
    [{ barcode_value: 'mine' }],
    [{ project_id: randomUUID() }],
  ])('is refused for what is wrong: %j', async (body) => {
    const { id } = await newPassOf();
    expectRefusal(await change(id, body), 400, 'INVALID_PAYLOAD', Object.keys(body)[0]);
  });

  test.each([0, 3_651, 1.5, '7'])('is not on a template for %j days', async (duration_days) => {
    const { id, pass_template_id } = await newPassOf();
    const body = { pass_template_id, duration_days };
    expectRefusal(await change(id, body), 400, 'INVALID_PAYLOAD', 'duration_days');
  });

  test('is not handed to a client that has one on the template', async () => {
    const template = await newTemplate(workspace);
    const client_id = (await newClient(workspace)).id;
    await passOn(workspace, template, { client_id });
    const { id } = await passOn(workspace, template);
    expectRefusal(await change(id, { client_id }), 409, 'CONFLICT', 'client_id');
  });
});

describe('lists', () => {
  test('are newest first, of the workspace alone, and counted', async () => {
    const own = await newWorkspace();
    const template = await newTemplate(own);
    const made = [await passOn(own, template), await passOn(own, template)];
    const { data, meta } = expectStatus(await own.get(':ws/passes'), 200).body;
    expect(idsOf(data)).toEqual(idsOf(made).reverse());
    expect(meta).toMatchObject({ total: 2 });
    expect((await own.get(':ws/passes/aggregate')).body.data).toEqual({
      total: 2,
      apple: 0,
      google: 0,
    });
    expectStatus(await own.get(':ws/passes', { limit: 0 }), 400);
    const refreshed = expectStatus(await own.post(':ws/passes/refresh-all', {}), 200).body.data;
    expect(refreshed).toEqual({ queued: true, templateCount: 1 });
  });

  test('of an unknown client do not exist', async () => {
    expectStatus(await workspace.get(`:ws/clients/${randomUUID()}/passes`), 404);
  });
});

describe('what a pass shows', () => {
  test('is what its client has', async () => {
    const own = await newWorkspace();
    const { code } = await newWalletType(own, { unit_plural_name: 'beans' });
    const client = await newClient(own, { loyalty_program_enabled: true });
    const earn = { client_id: client.id, amount: 12.5 };
    expectStatus(await own.post(':ws/loyalty/points/earn', earn), 201);
    const reward = { name: 'Coffee', cost_in_points: 10 };
    expectStatus(await own.post(':ws/rewards', reward), 200);
    const pass = await passOn(own, await newTemplate(own), { client_id: client.id });
    const path = `:ws/passes/${pass.id}/loyalty-render-data`;
    const { data } = expectStatus(await own.get(path), 200).body;
    expect(data).toMatchObject({
      wallets: [
        {
          wallet_type_code: code,
          balance: 12.5,
          name: 'Points',
          unit_singular_name: null,
          unit_plural_name: 'beans',
          is_default: true,
        },
      ],
      tier: null,
      benefits: [],
      active_rewards: [],
      portal_url: null,
      referral_code: null,
    });
    expectStatus(await stranger.get(path), 404);
    const nobody = await passOn(own, await newTemplate(own));
    const empty = await own.get(`:ws/passes/${nobody.id}/loyalty-render-data`);
    expect(expectStatus(empty, 200).body.data).toMatchObject({ wallets: [], tier: null });
  });
});

describe('POST /pass/resend', () => {
  const resend = (body: object) => workspace.post('/pass/resend', body);

  test('mails the links to the client', async () => {
    const client = await newClient(workspace);
    const pass = await newPassOf(client.id);
    const { body } = expectStatus(await resend({ pass_id: pass.id }), 200);
    expect(body).toEqual({
      data: {
        pass_id: pass.id,
        apple_pass_url: pass.apple_pass_url,
        google_pass_url: pass.google_pass_url,
      },
      message: expect.any(String),
      success: true,
    });
    expect(await mailTo(client.email)).toContain(pass.id);
  });

  test('mails what the workspace wrote to another address, without what could act', async () => {
    const pass = await newPassOf((await newClient(workspace, { first_name: '<b>Ada' })).id);
    const email = `${randomUUID()}@example.com`;
    const email_template =
      '<p onclick="x()">Hi {{first_name}}</p><script>alert(1)</script><a href="javascript:x()">no</a>';
    expectStatus(await resend({ pass_id: pass.id, email, email_template }), 200);
    const mail = await mailTo(email);
    expect(mail).toContain('text/html');
    for (const evil of ['<script', 'onclick', 'javascript:', 'alert(1)'])
      expect(mail).not.toContain(evil);
  });

  test('goes ten times a day, and not an eleventh, also when asked at once', async () => {
    const client = await newClient(workspace);
    const { id: pass_id } = await newPassOf(client.id);
    const replies = await Promise.all(Array.from({ length: 12 }, () => resend({ pass_id })));
    const refused = replies.filter((reply) => reply.status === 429);
    expect(refused).toHaveLength(2);
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    await until(async () => (await mailsTo(client.email)).length === 10);
  });

  test('needs an address, and a pass of the workspace', async () => {
    const { id } = await newPassOf();
    expectRefusal(await resend({ pass_id: id }), 400, 'INVALID_PAYLOAD', 'email');
    expectRefusal(await resend({}), 400, 'INVALID_PAYLOAD', 'pass_id');
    expectRefusal(await resend({ pass_id: id, email: 'x' }), 400, 'INVALID_PAYLOAD', 'email');
    expectRefusal(await resend({ pass_id: randomUUID() }), 404, 'RECORD_NOT_FOUND');
    expectRefusal(await stranger.post('/pass/resend', { pass_id: id }), 404, 'RECORD_NOT_FOUND');
  });
});

describe('passes follow their client', () => {
  test('away when it is deleted', async () => {
    const client = await newClient(workspace);
    const { id } = await newPassOf(client.id);
    expectStatus(await workspace.del(`:ws/clients/${client.id}`), 200);
    await until(async () => (await workspace.get(`/passes/${id}`)).status === 404);
  });

  test('to whom it is merged into; of two on one template one has no client', async () => {
    const [source, target] = [await newClient(workspace), await newClient(workspace)];
    const template = await newTemplate(workspace);
    const kept = await passOn(workspace, template, { client_id: target.id });
    const detached = await passOn(workspace, template, { client_id: source.id });
    const moved = await newPassOf(source.id);
    const merge = { source_client_id: source.id, target_client_id: target.id };
    expectStatus(await workspace.post(':ws/clients/merge', merge), 200);
    await until(async () => (await read(moved.id)).client_id === target.id);
    await until(async () => (await read(detached.id)).client_id === null);
    expect((await read(kept.id)).client_id).toBe(target.id);
  });

  test('silent when it is anonymized', async () => {
    const client = await newClient(workspace);
    const { id } = await newPassOf(client.id, { pass_fields: { nickname: 'Ada' } });
    expectStatus(await change(id, { notification: 'Hello Ada' }), 200);
    expectStatus(await workspace.post(`:ws/clients/${client.id}/anonymize`), 200);
    await until(async () => (await read(id)).notification === null);
    expect((await read(id)).pass_fields).toEqual({});
  });
});

describe('a rule', () => {
  const rule = (template_id: string) => ({
    name: 'Say hello',
    trigger_type: 'custom_event',
    trigger_config: { event_types: ['hello'] },
    effects: [
      { type: 'send_push', body: 'Hi {{first_name}}' },
      { type: 'switch_template', template_id, duration_days: 3 },
    ],
  });

  test('writes onto the pass of the client and puts it on a template for a while', async () => {
    const own = await newWorkspace();
    const { id: template_id } = await newTemplate(own);
    expectStatus(await own.post(':ws/automations', rule(template_id)), 201);
    const client = await newClient(own, { first_name: 'Ada' });
    const pass = await passOn(own, await newTemplate(own), { client_id: client.id });
    const hello = { client_id: client.id, event_type: 'hello' };
    expectStatus(await own.post(':ws/custom-events', hello), 201);
    const changed = await until(async () => {
      const { data } = (await own.get(`/passes/${pass.id}`)).body;
      return data.notification !== null && data.template_expires_at !== null && data;
    });
    expect(changed).toMatchObject({
      notification: 'Hi Ada',
      pass_template_id: template_id,
      previous_template_id: pass.pass_template_id,
    });
  });

  test('names templates of the workspace only', async () => {
    for (const template_id of [randomUUID(), (await newTemplate(stranger)).id])
      expectRefusal(
        await workspace.post(':ws/automations', rule(template_id)),
        400,
        'INVALID_PAYLOAD',
        'effects.1.template_id',
      );
  });
});
