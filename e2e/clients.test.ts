import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { call, type Reply } from './support/api';
import { onOneDay } from './support/days';
import {
  expectStatus,
  newClient,
  newMember,
  newUser,
  newWorkspace,
  type TestWorkspace,
  uniqueEmail,
} from './support/factories';

let workspace: TestWorkspace;
let stranger: TestWorkspace;
beforeAll(async () => {
  [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
});

const FULL = {
  first_name: 'Zoë',
  last_name: 'Müller',
  phone: '+49 30 1234567',
  birth_date: '1990-12-10',
  status: 'inactive' as const,
  marketing_consent: true,
  marketing_consent_text: 'Send me news',
  custom_fields: { city: 'Berlin', nested: { a: [1, null] } },
  source: 'web',
  loyalty_program_enabled: true,
};
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const fieldsOf = (reply: Reply): string[] =>
  reply.body.errors
    .map((error: { extensions: { field?: string } }) => error.extensions.field)
    .sort();

function expectRefusal(reply: Reply, status: number, code: string, field?: string): void {
  expectStatus(reply, status);
  expect(reply.body.errors[0].extensions.code).toBe(code);
  if (field !== undefined) expect(fieldsOf(reply)).toContain(field);
}

describe('POST clients', () => {
  test('answers 201 with every column, defaults filled in', async () => {
    const { body } = expectStatus(await workspace.post(':ws/clients', {}), 201);
    expect(body).toEqual({
      data: {
        id: expect.any(String),
        workspace_id: workspace.workspaceId,
        first_name: null,
        last_name: null,
        email: null,
        phone: null,
        birth_date: null,
        status: 'active',
        marketing_consent: false,
        marketing_consent_at: null,
        marketing_consent_source: null,
        marketing_consent_text: null,
        custom_fields: {},
        source: null,
        loyalty_program_enabled: false,
        registration_date: expect.stringMatching(TIMESTAMP),
        date_created: expect.stringMatching(TIMESTAMP),
      },
    });
  });

  test('keeps what was sent and stamps consent', async () => {
    const email = uniqueEmail();
    const { body } = expectStatus(await workspace.post(':ws/clients', { ...FULL, email }), 201);
    expect(body.data).toMatchObject({ ...FULL, email, marketing_consent_source: 'api' });
    expect(body.data.marketing_consent_at).toMatch(TIMESTAMP);
    const read = expectStatus(await workspace.get(`:ws/clients/${body.data.id}`), 200);
    expect(read.body).toEqual(body);
  });

  test('names every problem of a bad body', async () => {
    const reply = await workspace.post(':ws/clients', {
      email: 'nonsense',
      phone: 'x'.repeat(51),
      birth_date: '2026-02-30',
      status: 'gone',
      marketing_consent: 'true',
      custom_fields: [],
      workspace_id: workspace.workspaceId,
    });
    expectStatus(reply, 400);
    expect(fieldsOf(reply)).toEqual([
      'birth_date',
      'custom_fields',
      'email',
      'marketing_consent',
      'phone',
      'status',
      'workspace_id',
    ]);
  });

  test('refuses a taken address on its field, whatever the case; other workspaces may have it', async () => {
    const email = uniqueEmail();
    await newClient(workspace, { email });
    const again = await workspace.post(':ws/clients', { email: email.toUpperCase() });
    expectRefusal(again, 400, 'INVALID_PAYLOAD', 'email');
    await newClient(stranger, { email });
  });

  test('creates one client for one Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const body = { first_name: 'Once' };
    const first = expectStatus(await workspace.post(':ws/clients', body, key), 201);
    const second = expectStatus(await workspace.post(':ws/clients', body, key), 201);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('every clients route', () => {
  const routes: [method: string, path: string, body: unknown][] = [
    ['GET', ':ws/clients', undefined],
    ['GET', ':ws/clients/search?q=a', undefined],
    ['POST', ':ws/clients', {}],
    ['POST', ':ws/clients/merge', {}],
    ['POST', ':ws/clients/signup-buckets', {}],
    ['GET', ':ws/clients/export', undefined],
    ['GET', ':ws/clients/:id', undefined],
    ['PATCH', ':ws/clients/:id', {}],
    ['DELETE', ':ws/clients/:id', undefined],
    ['POST', ':ws/clients/:id/anonymize', {}],
    ['GET', ':ws/clients/:id/export', undefined],
    ['GET', ':ws/clients/:id/events', undefined],
    ['GET', ':ws/clients/:id/external-identities', undefined],
    ['PUT', ':ws/clients/:id/external-identities/pos', { external_id: 'x' }],
    ['DELETE', ':ws/clients/:id/external-identities/pos', undefined],
    ['GET', ':ws/data-model', undefined],
    ['POST', ':ws/data-model', {}],
  ];

  test.each(routes)('%s %s is closed to strangers and the nameless', async (method, path, body) => {
    const client = await newClient(workspace);
    const url = path
      .replace(':ws', `/workspace/${workspace.workspaceId}`)
      .replace(':id', client.id);
    const options = body === undefined ? {} : { body };
    expectRefusal(await call(method, url, options), 403, 'FORBIDDEN');
    expectRefusal(await call(method, url, { ...options, token: stranger.token }), 403, 'FORBIDDEN');
    const bad = await call(method, url, { ...options, token: 'not-a-token' });
    expectRefusal(bad, 401, 'INVALID_TOKEN');
  });

  test.each(routes.filter(([, path]) => path.includes(':id')))(
    '%s %s does not tell a foreign client from an unknown one',
    async (method, path, body) => {
      const foreign = await newClient(stranger);
      const answers = await Promise.all(
        [foreign.id, randomUUID()].map((id) =>
          call(
            method,
            path.replace(':ws', `/workspace/${workspace.workspaceId}`).replace(':id', id),
            { token: workspace.token, ...(body === undefined ? {} : { body }) },
          ),
        ),
      );
      for (const answer of answers) expectRefusal(answer, 404, 'RECORD_NOT_FOUND');
      expect(answers[0]?.body).toEqual(answers[1]?.body);
      const malformed = path.replace(':ws', `/workspace/${workspace.workspaceId}`);
      const token = workspace.token;
      const reply = await call(method, malformed.replace(':id', 'abc'), { token, body });
      expectRefusal(reply, 400, 'INVALID_PAYLOAD');
    },
  );
});

describe('GET clients', () => {
  test('lists newest first with its meta, and pages by offset and by cursor', async () => {
    const own = await newWorkspace();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await newClient(own)).id);
    const { body } = expectStatus(await own.get(':ws/clients'), 200);
    expect(body.data.map((client: { id: string }) => client.id)).toEqual(ids);
    expect(body.meta).toEqual({ total: 5, limit: 50, offset: 0 });
    const second = expectStatus(await own.get(':ws/clients', { limit: 2, offset: 2 }), 200);
    expect(second.body.data.map((client: { id: string }) => client.id)).toEqual(ids.slice(2, 4));
    expect(second.body.meta).toMatchObject({ total: 5, limit: 2, offset: 2 });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 2, ...(cursor === undefined ? {} : { cursor }) };
      const part = expectStatus(await own.get(':ws/clients', query), 200);
      seen.push(...part.body.data.map((client: { id: string }) => client.id));
      cursor = part.body.meta.next_cursor;
    } while (cursor);
    expect(seen).toEqual(ids);
  });

  test('filters, searches and sorts', () =>
    onOneDay(async (today) => {
      const own = await newWorkspace();
      const email = uniqueEmail();
      await newClient(own, { ...FULL, email });
      await newClient(own, { first_name: 'Bob', last_name: '100% .*' });
      const found = async (query: Record<string, string>) => {
        const { body } = expectStatus(await own.get(':ws/clients', query), 200);
        return body.data.map((client: { first_name: string }) => client.first_name);
      };
      expect(await found({ search: 'zoe mull' })).toEqual(['Zoë']);
      expect(await found({ search: '30 12' })).toEqual(['Zoë']);
      expect(await found({ search: '0% .' })).toEqual(['Bob']);
      expect(await found({ search: 'z.e' })).toEqual([]);
      expect(await found({ email: email.toUpperCase() })).toEqual(['Zoë']);
      expect(await found({ status: 'inactive' })).toEqual(['Zoë']);
      expect(await found({ source: 'web' })).toEqual(['Zoë']);
      expect(await found({ sort: 'first_name' })).toEqual(['Bob', 'Zoë']);
      expect(await found({ sort: '-first_name' })).toEqual(['Zoë', 'Bob']);
      expect(await found({ from_date: today, to_date: today, sort: 'first_name' })).toHaveLength(2);
      expect(await found({ to_date: '2020-01-01' })).toEqual([]);
    }));

  test('refuses what is out of range, unknown or contradictory', async () => {
    for (const [query, field] of [
      [{ limit: 0 }, 'limit'],
      [{ limit: 1001 }, 'limit'],
      [{ limit: 'many' }, 'limit'],
      [{ offset: -1 }, 'offset'],
      [{ sort: 'shoe_size' }, 'sort'],
      [{ status: 'gone' }, 'status'],
      [{ from_date: 'yesterday' }, 'from_date'],
      [{ cursor: 'abc' }, 'cursor'],
      [{ cursor: 'abc', offset: 1 }, 'offset'],
      [{ colour: 'red' }, 'colour'],
    ] as const) {
      expectRefusal(await workspace.get(':ws/clients', query), 400, 'INVALID_PAYLOAD', field);
    }
  });

  test('search needs q and answers without meta', async () => {
    expectRefusal(await workspace.get(':ws/clients/search'), 400, 'INVALID_PAYLOAD', 'q');
    const own = await newWorkspace();
    for (let n = 0; n < 11; n += 1) await newClient(own, { last_name: 'Samename' });
    const { body } = expectStatus(await own.get(':ws/clients/search', { q: 'SAMEN' }), 200);
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data).toHaveLength(10);
    const more = await own.get(':ws/clients/search', { q: 'samen', limit: 100 });
    expect(more.body.data).toHaveLength(11);
  });
});

describe('PATCH clients/:id', () => {
  test('changes, merges, and writes a field_change per field', async () => {
    const { id } = await newClient(workspace, { first_name: 'Ada', custom_fields: { a: 1, b: 2 } });
    const { body } = expectStatus(
      await workspace.patch(`:ws/clients/${id}`, {
        first_name: null,
        last_name: 'Example',
        custom_fields: { b: 3, c: 'x' },
      }),
      200,
    );
    expect(body.data).toMatchObject({
      first_name: null,
      last_name: 'Example',
      custom_fields: { a: 1, b: 3, c: 'x' },
    });
    const trail = expectStatus(
      await workspace.get(`:ws/clients/${id}/events`, { event_category: 'field_change' }),
      200,
    );
    expect(trail.body.meta).toEqual({ total: 4, limit: 50, offset: 0 });
    const changes = trail.body.data.map((event: Record<string, string>) => [
      event.field_name,
      event.old_value,
      event.new_value,
      event.source,
    ]);
    expect(new Set(changes.map(String))).toEqual(
      new Set(['first_name,Ada,,api', 'last_name,,Example,api', 'b,2,3,api', 'c,,x,api']),
    );
  });

  test('loses nothing of changes made at once', async () => {
    const { id } = await newClient(workspace);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const replies = await Promise.all(
      names.map((name) => workspace.patch(`:ws/clients/${id}`, { custom_fields: { [name]: 1 } })),
    );
    for (const reply of replies) expectStatus(reply, 200);
    const { body } = await workspace.get(`:ws/clients/${id}`);
    expect(Object.keys(body.data.custom_fields).sort()).toEqual(names);
  });

  test('refuses a taken address', async () => {
    const taken = await newClient(workspace);
    const { id } = await newClient(workspace);
    const reply = await workspace.patch(`:ws/clients/${id}`, { email: taken.email });
    expectRefusal(reply, 400, 'INVALID_PAYLOAD', 'email');
  });
});

describe('erasure', () => {
  test('anonymize empties the person for good and scrubs the trail', async () => {
    const { id } = await newClient(workspace, { ...FULL, custom_fields: { city: 'Berlin' } });
    await workspace.patch(`:ws/clients/${id}`, { first_name: 'Zora' });
    const { body } = expectStatus(await workspace.post(`:ws/clients/${id}/anonymize`), 200);
    expect(body.data).toMatchObject({
      first_name: null,
      last_name: null,
      email: null,
      phone: null,
      birth_date: null,
      custom_fields: {},
      marketing_consent: false,
      marketing_consent_source: 'anonymize',
      loyalty_program_enabled: false,
      status: 'anonymized',
    });
    const trail = await workspace.get(`:ws/clients/${id}/events`);
    expect(trail.text).not.toMatch(/Zoë|Zora|Müller|Berlin|1990/);
    const cleared = trail.body.data.filter(
      (event: { source: string }) => event.source === 'anonymize',
    );
    expect(cleared.map((event: { field_name: string }) => event.field_name)).toEqual(
      expect.arrayContaining(['first_name', 'last_name', 'email', 'phone', 'birth_date', 'city']),
    );
    const back = await workspace.patch(`:ws/clients/${id}`, { status: 'active' });
    expectRefusal(back, 409, 'CONFLICT');
  });

  test('delete answers a message, keeps scrubbed events, and 404 from then on', async () => {
    const { id } = await newClient(workspace, { first_name: 'Zoë' });
    await workspace.patch(`:ws/clients/${id}`, {
      first_name: 'Zora',
      status: 'inactive',
      marketing_consent: true,
      loyalty_program_enabled: true,
    });
    const { body } = expectStatus(await workspace.del(`:ws/clients/${id}`), 200);
    expect(body).toEqual({ message: expect.any(String) });
    expectRefusal(await workspace.get(`:ws/clients/${id}`), 404, 'RECORD_NOT_FOUND');
    expectRefusal(await workspace.del(`:ws/clients/${id}`), 404, 'RECORD_NOT_FOUND');
    const trail = expectStatus(await workspace.get(':ws/events', { client_id: id }), 200);
    const values = new Map(
      trail.body.data.map((event: Record<string, string>) => [event.field_name, event.new_value]),
    );
    expect(values).toEqual(
      new Map([
        ['first_name', null],
        ['status', 'inactive'],
        ['marketing_consent', 'true'],
        ['loyalty_program_enabled', null],
      ]),
    );
    expect(trail.text).not.toMatch(/Zoë|Zora/);
  });
});

describe('POST clients/merge', () => {
  test('answers with the target, filled in; the source is gone and its trail moved', async () => {
    const source = await newClient(workspace, { ...FULL });
    const target = await newClient(workspace, { email: null, custom_fields: { city: 'London' } });
    await workspace.patch(`:ws/clients/${source.id}`, { source: 'shop' });
    const { body } = expectStatus(
      await workspace.post(':ws/clients/merge', {
        source_client_id: source.id,
        target_client_id: target.id,
      }),
      200,
    );
    expect(body.data).toMatchObject({
      id: target.id,
      first_name: 'Zoë',
      email: source.email,
      source: 'shop',
      custom_fields: { city: 'London', nested: { a: [1, null] } },
    });
    expectRefusal(await workspace.get(`:ws/clients/${source.id}`), 404, 'RECORD_NOT_FOUND');
    const trail = await workspace.get(`:ws/clients/${target.id}/events`);
    expect(trail.body.data).toEqual(
      expect.arrayContaining([expect.objectContaining({ field_name: 'source', source: 'api' })]),
    );
  });

  test('refuses itself, and clients that are not in the workspace', async () => {
    const { id } = await newClient(workspace);
    const foreign = await newClient(stranger);
    const merge = (source_client_id: string, target_client_id: string) =>
      workspace.post(':ws/clients/merge', { source_client_id, target_client_id });
    expectRefusal(await merge(id, id), 400, 'INVALID_PAYLOAD', 'target_client_id');
    expectRefusal(await merge(foreign.id, id), 400, 'INVALID_PAYLOAD', 'source_client_id');
    expectRefusal(await merge(id, randomUUID()), 400, 'INVALID_PAYLOAD', 'target_client_id');
    expectRefusal(await workspace.post(':ws/clients/merge', {}), 400, 'INVALID_PAYLOAD');
  });
});

test('a merge whose balances would be beyond the range of amounts is refused, and both clients stay', async () => {
  const own = await newWorkspace();
  const [source, target] = [await newClient(own), await newClient(own)];
  await own.post(':ws/wallet-types', { code: 'points', name: 'Points', is_default: true });
  for (const { id: client_id } of [source, target])
    expectStatus(
      await own.post(':ws/loyalty/points/earn', { client_id, amount: 100_000_000_000 }),
      201,
    );
  const names = { source_client_id: source.id, target_client_id: target.id };
  expectRefusal(
    await own.post(':ws/clients/merge', names),
    400,
    'INVALID_PAYLOAD',
    'source_client_id',
  );
  expect((await own.get(`:ws/clients/${source.id}`)).body.data).toEqual(source);
});

describe('POST clients/signup-buckets', () => {
  test('counts new clients, empty buckets included', () =>
    onOneDay(async (today) => {
      const own = await newWorkspace();
      for (let n = 0; n < 3; n += 1) await newClient(own);
      const { body } = expectStatus(await own.post(':ws/clients/signup-buckets', {}), 200);
      expect(body.data).toEqual({
        buckets: [{ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), count: 3 }],
        total: 3,
        latest_bucket_count: 3,
        growth_wow_pct: null,
      });
      const from = new Date(Date.parse(today) - 3 * 86_400_000).toISOString().slice(0, 10);
      const daily = await own.post(':ws/clients/signup-buckets', {
        from_date: from,
        group_by_time: 'day',
      });
      expect(daily.body.data.buckets.map((bucket: { count: number }) => bucket.count)).toEqual([
        0, 0, 0, 3,
      ]);
      const bad = await own.post(':ws/clients/signup-buckets', { group_by_time: 'year' });
      expectRefusal(bad, 400, 'INVALID_PAYLOAD', 'group_by_time');
    }));
});

describe('external identities', () => {
  test('are put, listed, unique per provider, and deleted', async () => {
    const [one, two] = [await newClient(workspace), await newClient(workspace)];
    const path = `:ws/clients/${one.id}/external-identities`;
    const external_id = randomUUID();
    const put = expectStatus(await workspace.put(`${path}/pos`, { external_id }), 200);
    expect(put.body.data).toEqual({
      provider: 'pos',
      external_id,
      date_created: expect.stringMatching(TIMESTAMP),
    });
    expect((await workspace.get(path)).body).toEqual({ data: [put.body.data] });
    expectStatus(await workspace.put(`${path}/pos`, { external_id }), 200);
    const taken = await workspace.put(`:ws/clients/${two.id}/external-identities/pos`, {
      external_id,
    });
    expectRefusal(taken, 409, 'CONFLICT');
    expect(expectStatus(await workspace.del(`${path}/pos`), 200).body).toEqual({
      message: expect.any(String),
    });
    expectRefusal(await workspace.del(`${path}/pos`), 404, 'RECORD_NOT_FOUND');
    expect((await workspace.get(path)).body).toEqual({ data: [] });
  });
});

describe('import and export', () => {
  async function importFile(text: string, name: string, mode?: string) {
    const form = new FormData();
    form.append('file', new Blob([text]), name);
    const query = mode === undefined ? '' : `?mode=${mode}`;
    const path = `/workspace/${workspace.workspaceId}/clients/import${query}`;
    return call('POST', path, { token: workspace.token, body: form });
  }

  async function finished(jobId: string) {
    return until(async () => {
      const { body } = expectStatus(await workspace.get(`:ws/client-import-jobs/${jobId}`), 200);
      return ['completed', 'failed'].includes(body.data.status) ? body.data : null;
    });
  }

  test('an import works in the background and logs bad rows', async () => {
    const email = uniqueEmail();
    const csv = `email,first_name,custom_fields.city\n${email},Ada,Berlin\nnonsense,Bob,\n`;
    const { body } = expectStatus(await importFile(csv, 'clients.csv'), 202);
    expect(body.data).toMatchObject({ id: expect.any(String), mode: 'create' });
    expect(await finished(body.data.id)).toMatchObject({
      status: 'completed',
      total: 2,
      processed: 2,
      created: 1,
      updated: 0,
      failed: 1,
      errors: [{ row: 2, message: expect.stringContaining('email') }],
    });
    const list = await workspace.get(':ws/clients', { email });
    expect(list.body.data[0]).toMatchObject({
      first_name: 'Ada',
      custom_fields: { city: 'Berlin' },
    });
    const again = await importFile(`{"email":"${email}","last_name":"New"}`, 'x.ndjson', 'upsert');
    expect(await finished(expectStatus(again, 202).body.data.id)).toMatchObject({ updated: 1 });
    const job = `:ws/client-import-jobs/${body.data.id}`;
    expectRefusal(await stranger.get(job), 404, 'RECORD_NOT_FOUND');
  });

  test('a file that comes again under its Idempotency-Key is not imported again, another is refused', async () => {
    const own = await newWorkspace();
    const headers = { 'Idempotency-Key': randomUUID() };
    const send = (text: string) => {
      const body = new FormData();
      body.append('file', new Blob([text]), 'a.csv');
      const path = `/workspace/${own.workspaceId}/clients/import`;
      return call('POST', path, { token: own.token, body, headers });
    };
    const first = expectStatus(await send('first_name\nAda\n'), 202);
    const again = expectStatus(await send('first_name\nAda\n'), 202);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expectRefusal(await send('first_name\nBob\n'), 409, 'CONFLICT');
    const job = `:ws/client-import-jobs/${first.body.data.id}`;
    await until(async () => (await own.get(job)).body.data.status === 'completed');
    expect((await own.get(':ws/clients')).body.data).toHaveLength(1);
    expect((await own.get(':ws/client-import-jobs')).body.data).toHaveLength(1);
  });

  test('a file of a spreadsheet is read as it is written, and a quote that never closes ends it at its row', async () => {
    const email = uniqueEmail();
    const latin = Buffer.from(`email;first_name\n${email};Jos\xe9 \x80\n`, 'latin1');
    const form = new FormData();
    form.append('file', new Blob([latin]), 'clients.csv');
    const path = `/workspace/${workspace.workspaceId}/clients/import`;
    const started = await call('POST', path, { token: workspace.token, body: form });
    expect(await finished(expectStatus(started, 202).body.data.id)).toMatchObject({ created: 1 });
    const list = await workspace.get(':ws/clients', { email });
    expect(list.body.data).toMatchObject([{ first_name: 'José €' }]);
    const open = `email,first_name\n${uniqueEmail()},A\n${uniqueEmail()},"B\n${uniqueEmail()},C\n`;
    const { body } = expectStatus(await importFile(open, 'clients.csv'), 202);
    expect(await finished(body.data.id)).toMatchObject({
      status: 'failed',
      created: 1,
      failed: 1,
      errors: [{ row: 2, message: expect.stringContaining('quote') }],
    });
  });

  test('a file of another system is looked at before it goes in, and imports are listed', async () => {
    const own = await newWorkspace();
    const path = `/workspace/${own.workspaceId}/clients/import`;
    const send = (at: string) => {
      const body = new FormData();
      body.append('file', new Blob(['E-Mail,Notes\na@import.example,x\nnowhere,y\n']), 'a.csv');
      return call('POST', `${path}${at}`, { token: own.token, body });
    };
    const mapping = encodeURIComponent(JSON.stringify({ 'E-Mail': 'email', Notes: null }));
    const { body } = expectStatus(await send(`/check?mapping=${mapping}`), 200);
    expect(body.data).toMatchObject({
      rows: [{ client: { email: 'a@import.example' } }, { client: null }],
      problems: [{ row: 2, message: 'email must be an e-mail address' }],
      is_whole: true,
    });
    expect((await own.get(':ws/client-import-jobs')).body.data).toEqual([]);
    const refused = await send(`/check?mapping=${encodeURIComponent('{"E-Mail":1}')}`);
    expect(refused.status).toBe(400);
    const { id } = expectStatus(await send(`?mapping=${mapping}`), 202).body.data;
    await until(async () => (await own.get(':ws/clients')).body.data.length === 1);
    const { data, meta } = (await own.get(':ws/client-import-jobs')).body;
    expect(data).toMatchObject([{ id, mode: 'create' }]);
    expect(meta).toEqual({ limit: 20, next_cursor: null });
    const other = await newWorkspace();
    expect((await other.get(':ws/client-import-jobs')).body.data).toEqual([]);
  });

  test('a large import moves on as it is read, and stops where it is cancelled', async () => {
    const own = await newWorkspace();
    // So many that they are not all taken before it is cancelled, whatever is slow here.
    const count = 60_000;
    const rows = Array.from({ length: count }, (_, at) => `row-${at}@import.example`);
    const form = new FormData();
    form.append('file', new Blob([`email\n${rows.join('\n')}\n`]), 'clients.csv');
    const path = `/workspace/${own.workspaceId}/clients/import`;
    const started = await call('POST', path, { token: own.token, body: form });
    const job = `:ws/client-import-jobs/${expectStatus(started, 202).body.data.id}`;
    const seen = new Set<number>();
    await until(async () => {
      seen.add((await own.get(job)).body.data.processed);
      return seen.size > 2;
    });
    const cancelled = expectStatus(await own.post(`${job}/cancel`), 200).body.data;
    expect(cancelled).toMatchObject({ status: 'cancelled', total: count });
    expect(cancelled.processed).toBeLessThan(count);
    expectRefusal(await own.post(`${job}/cancel`), 409, 'CONFLICT');
    const { meta } = expectStatus(await own.get(':ws/clients', { limit: '1' }), 200).body;
    expect(meta.total).toBe((await own.get(job)).body.data.created);
    expectRefusal(await stranger.post(`${job}/cancel`), 404, 'RECORD_NOT_FOUND');
  });

  test('an import without a file, with a wrong mode, or as JSON is refused', async () => {
    const path = `/workspace/${workspace.workspaceId}/clients/import`;
    const { token } = workspace;
    const form = new FormData();
    form.append('other', 'x');
    const empty = await call('POST', path, { token, body: form });
    expectRefusal(empty, 400, 'INVALID_PAYLOAD', 'file');
    expectRefusal(await importFile('email\n', 'c.csv', 'merge'), 400, 'INVALID_PAYLOAD', 'mode');
    expectStatus(await call('POST', path, { token, body: {} }), 415);
  });

  test('exports as NDJSON by default and as CSV with formulas defused', async () => {
    const own = await newWorkspace();
    await newClient(own, { first_name: '=1+1' });
    const ndjson = expectStatus(await own.get(':ws/clients/export'), 200);
    expect(ndjson.headers.get('content-type')).toContain('application/x-ndjson');
    const list = await own.get(':ws/clients');
    expect(JSON.parse(ndjson.text.trim())).toEqual(list.body.data[0]);
    const csv = expectStatus(await own.get(':ws/clients/export', { format: 'csv' }), 200);
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.text).toContain("'=1+1");
    expectRefusal(
      await own.get(':ws/clients/export', { format: 'xml' }),
      400,
      'INVALID_PAYLOAD',
      'format',
    );
  });

  test('gives everything held on a person as one document', async () => {
    const { id, email } = await newClient(workspace);
    const { body } = expectStatus(await workspace.get(`:ws/clients/${id}/export`), 200);
    expect(body.data).toMatchObject({ client: { id, email }, events: [], external_identities: [] });
    expect(body.data.ledger).toBeDefined();
  });
});

describe('the data model', () => {
  test('lists system fields first, then the custom ones in their order', async () => {
    const own = await newWorkspace();
    const path = ':ws/data-model';
    const created = expectStatus(
      await own.post(path, {
        field_name: 'colour',
        field_label: 'Colour',
        field_type: 'select',
        options: ['red', 'blue'],
      }),
      201,
    );
    expect(created.body.data).toEqual({
      id: expect.any(String),
      field_name: 'colour',
      field_label: 'Colour',
      field_type: 'select',
      is_required: false,
      is_system: false,
      sort_order: expect.any(Number),
      options: ['red', 'blue'],
    });
    await own.post(path, { field_name: 'age', field_type: 'number', sort_order: 0 });
    const { body } = expectStatus(await own.get(path), 200);
    const isSystem = body.data.map((field: { is_system: boolean }) => field.is_system);
    expect(isSystem).toEqual([...isSystem].sort().reverse());
    const custom = body.data.filter((field: { is_system: boolean }) => !field.is_system);
    expect(custom.map((field: { field_name: string }) => field.field_name)).toEqual([
      'age',
      'colour',
    ]);
    const member = await newMember(own);
    expect((await member.get(path)).body).toEqual(body);
  });

  test('checks values of defined fields and leaves others free', async () => {
    const own = await newWorkspace();
    const define = (field_name: string, field_type: string, options?: string[]) =>
      own.post(':ws/data-model', { field_name, field_type, ...(options ? { options } : {}) });
    await define('age', 'number');
    await define('colour', 'select', ['red']);
    await define('site', 'url');
    const bad = await own.post(':ws/clients', {
      custom_fields: { age: '42', colour: 'green', site: 'nowhere', free: ['x'] },
    });
    expectStatus(bad, 400);
    expect(fieldsOf(bad)).toEqual([
      'custom_fields.age',
      'custom_fields.colour',
      'custom_fields.site',
    ]);
    const { id } = await newClient(own, {
      custom_fields: { age: 42, colour: 'red', site: 'https://example.com', free: ['x'] },
    });
    const patched = await own.patch(`:ws/clients/${id}`, { custom_fields: { age: true } });
    expectRefusal(patched, 400, 'INVALID_PAYLOAD', 'custom_fields.age');
    expectStatus(await own.patch(`:ws/clients/${id}`, { custom_fields: { age: null } }), 200);
  });

  test('changes and deletes custom fields only; the name is fixed', async () => {
    const own = await newWorkspace();
    const field = { field_name: 'age', field_type: 'number' };
    const { body } = expectStatus(await own.post(':ws/data-model', field), 201);
    const path = `:ws/data-model/${body.data.id}`;
    const changed = await own.patch(path, { field_label: 'Years', is_required: true });
    expect(changed.body.data).toMatchObject({ field_label: 'Years', is_required: true });
    const renamed = await own.patch(path, { field_name: 'years' });
    expectRefusal(renamed, 400, 'INVALID_PAYLOAD', 'field_name');
    expectRefusal(await own.post(':ws/data-model', field), 409, 'CONFLICT');
    const system = (await own.get(':ws/data-model')).body.data[0];
    for (const reply of [
      await own.patch(`:ws/data-model/${system.id}`, { field_label: 'X' }),
      await own.del(`:ws/data-model/${system.id}`),
    ]) {
      expectRefusal(reply, 400, 'INVALID_PAYLOAD');
    }
    expectRefusal(await stranger.patch(path, {}), 404, 'RECORD_NOT_FOUND');
    expectStatus(await own.del(path), 200);
    expectRefusal(await own.del(path), 404, 'RECORD_NOT_FOUND');
    for (const bad of [
      { field_name: 'Age', field_type: 'number' },
      { field_name: 'age', field_type: 'colour' },
      { field_name: 'age', field_type: 'select' },
      { field_name: 'age', field_type: 'number', options: ['x'] },
    ]) {
      expectRefusal(await own.post(':ws/data-model', bad), 400, 'INVALID_PAYLOAD');
    }
  });
});

test('a signed-in user without the workspace gets 403', async () => {
  const user = await newUser();
  const path = `/workspace/${workspace.workspaceId}/clients`;
  expectRefusal(await call('GET', path, { token: user.token }), 403, 'FORBIDDEN');
});
