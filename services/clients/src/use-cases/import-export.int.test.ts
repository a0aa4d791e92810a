import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import type { clients as api } from '@laurel/rpc';
import { awake, propertySettings, underOneKey, workOff } from '@laurel/testing';
import type { Room } from '@laurel/work';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { createHarness, type Harness } from '../testing/harness';
import { appendImport } from './append-import';
import { cancelImport } from './cancel-import';
import { checkImport } from './check-import';
import { abandonImport, closeImport } from './close-import';
import { createField } from './create-field';
import { deleteClient } from './delete-client';
import { dropStaleUploads } from './drop-stale-uploads';
import { exportPerson } from './export-client';
import { exportClients } from './export-clients';
import { getImportJob, listImportJobs } from './get-import-job';
import { listClients } from './list-clients';
import { noteAddressProof } from './note-address-proof';
import { openImport } from './open-import';
import { importWorker } from './run-import';
import { updateClient } from './update-client';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

async function upload(
  file: string | Buffer,
  mode = 'create',
  chunkBytes = 7,
  fields: Record<string, string | null> = {},
): Promise<string> {
  const { deps, workspaceId } = harness;
  const format = typeof file === 'string' && file.startsWith('{') ? 'ndjson' : 'csv';
  const mapping = Object.entries(fields).map(([column, field]) => ({ column, field }));
  const { id } = await openImport(deps, { workspace_id: workspaceId, format, mode, mapping });
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  let index = 0;
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes);
    await appendImport(deps, { workspace_id: workspaceId, id, index, chunk });
    index += 1;
  }
  const job = await closeImport(deps, { workspace_id: workspaceId, id, chunks: index });
  expect(job.status).toBe('pending');
  return id;
}

async function imported(
  file: string | Buffer,
  mode = 'create',
  chunkBytes?: number,
): Promise<api.ImportJob> {
  const id = await upload(file, mode, chunkBytes);
  await workOff(importWorker(harness.deps));
  return getImportJob(harness.deps, { workspace_id: harness.workspaceId, id });
}

async function all() {
  const request = { workspace_id: harness.workspaceId, limit: 1_000, offset: 0 };
  return (await listClients(harness.deps, { ...request, sort: 'email' })).clients;
}

async function exported(format: string, filter: object = {}): Promise<string> {
  let text = '';
  const asked = { tier_ids: [], custom_fields: [], ...filter };
  const request = { workspace_id: harness.workspaceId, filter: asked, format };
  for await (const chunk of exportClients(harness.deps, request)) text += chunk.text;
  return text;
}

describe('importing clients', () => {
  test('keeps nothing of a file whose import is over, also where a process died before it was dropped', async () => {
    const { deps, workspaceId } = harness;
    const files = deps.connection.collection<{ job_id: string }>('import_chunks');
    const ended = await upload('email\na@example.com\n');
    const jobs = deps.connection.collection<{ _id: string }>('import_jobs');
    await jobs.updateOne({ _id: ended }, { $set: { status: 'completed' } });
    const waiting = await upload('email\nb@example.com\n');
    const { id } = await openImport(deps, {
      workspace_id: workspaceId,
      format: 'csv',
      mode: 'create',
      mapping: [],
    });
    const given = await deps.imports.find(workspaceId, id);
    await abandonImport(deps, { workspace_id: workspaceId, id });
    // A piece that was on its way.
    await deps.imports.putChunk(given!, 0, Buffer.from('email'));
    await dropStaleUploads(deps);
    expect(await files.distinct('job_id', {})).toEqual([waiting]);
  });

  test('has new clients take part whose row does not say it, where that is asked for, and changes none who are there', async () => {
    const { deps, workspaceId: workspace_id } = harness;
    await imported('email\nold@example.com\nplain@example.com\n');
    const asked = { workspace_id, format: 'csv', mode: 'upsert', mapping: [] };
    const { id } = await openImport(deps, { ...asked, loyalty_program_enabled: true });
    const file =
      'email,loyalty_program_enabled\nold@example.com,\nnew@example.com,\nout@example.com,no\n';
    await appendImport(deps, { workspace_id, id, index: 0, chunk: Buffer.from(file) });
    await closeImport(deps, { workspace_id, id, chunks: 1 });
    await workOff(importWorker(deps));
    expect((await all()).map(({ email, loyalty_program_enabled: isIn }) => [email, isIn])).toEqual([
      ['new@example.com', true],
      ['old@example.com', false],
      ['out@example.com', false],
      ['plain@example.com', false],
    ]);
  });

  test('takes a CSV with quotes, line breaks, custom fields and a byte order mark, cut anywhere', async () => {
    await createField(harness.deps, {
      workspace_id: harness.workspaceId,
      field_name: 'age',
      field_type: 'number',
    });
    const job = await imported(
      '\ufeffemail,first_name,marketing_consent,custom_fields.age,custom_fields.note\r\n' +
        'zoë@example.com,"Zoë ""Z"", the first",true,42,"two\nlines"\r\n\r\n' +
        'bob@example.com,Bob,,,',
    );
    expect(job).toMatchObject({
      status: 'completed',
      total: 2,
      processed: 2,
      created: 2,
      failed: 0,
    });
    const [bob, zoe] = await all();
    expect(bob).toMatchObject({ first_name: 'Bob', marketing_consent_at: null, custom_fields: {} });
    expect(zoe).toMatchObject({
      first_name: 'Zoë "Z", the first',
      marketing_consent: true,
      marketing_consent_source: 'api',
      custom_fields: { age: 42, note: 'two\nlines' },
    });
  });

  test.each([
    ['a line', '{"email":"a@example.com","custom_fields":{"card":12345678901234567890,"n":[7]}}\n'],
    ['a cell', 'email,custom_fields\na@example.com,"{""card"":12345678901234567890,""n"":[7]}"\n'],
    ['cells', 'email,custom_fields.card,custom_fields.n\na@example.com,12345678901234567890,[7]\n'],
  ])('keeps every digit of a number that is too long to count with in %s', async (_, file) => {
    expect(await imported(file)).toMatchObject({ created: 1, failed: 0 });
    const [client] = await all();
    expect(client?.custom_fields).toEqual({ card: '12345678901234567890', n: [7] });
  });

  test('keeps every digit of a number inside a list in a cell', async () => {
    const cards = '[12345678901234567890,7]';
    await imported(`email,custom_fields.cards\na@example.com,"${cards}"\n`);
    const [client] = await all();
    expect(client?.custom_fields).toEqual({ cards: ['12345678901234567890', 7] });
  });

  test('reads as a number only what is one, with all of its digits', async () => {
    const { deps, workspaceId } = harness;
    const field = { workspace_id: workspaceId, field_name: 'age', field_type: 'number' };
    await createField(deps, field);
    const wrong = ['12345678901234567890', '0x10', '"  "', 'Infinity'];
    const right = ['-4.5', '1e3', '+7', '.5'];
    const rows = [...wrong, ...right].map((age, at) => `${at}@example.com,${age}`);
    const job = await imported(`email,custom_fields.age\n${rows.join('\n')}\n`);
    const [large, ...none] = job.errors;
    const bound = 'age must be less than or equal to 9007199254740991';
    expect(large).toEqual({ row: 1, message: bound });
    expect(none).toEqual([2, 3, 4].map((row) => ({ row, message: 'age must be a number' })));
    const ages = (await all()).map((client) => (client.custom_fields as { age: number }).age);
    expect(ages.sort()).toEqual([-4.5, 0.5, 1_000, 7]);
  });

  test('logs each bad row under its number and takes the others', async () => {
    await harness.client({ email: 'taken@example.com' });
    const job = await imported(
      'email,birth_date,status\n' +
        'a@example.com,2026-02-30,\n' +
        'nonsense,,gone\n' +
        'b@example.com,1990-01-31,inactive\n' +
        'TAKEN@example.com,,\n' +
        'b@example.com,,\n' +
        'c@example.com,,,too many',
    );
    expect(job).toMatchObject({ total: 6, processed: 6, created: 1, updated: 0, failed: 5 });
    expect(job.errors).toEqual([
      { row: 1, message: 'birth_date must be a date like 2026-01-31' },
      { row: 2, message: 'email must be an e-mail address; status must be active or inactive' },
      { row: 4, message: 'email is taken by another client of the workspace' },
      { row: 5, message: 'email is taken by another client of the workspace' },
      { row: 6, message: 'the row has more cells than the file has columns' },
    ]);
  });

  test('clears nothing of a known client by a blank cell', async () => {
    await harness.client({ email: 'ada@example.com', first_name: 'Ada', phone: '+48 1234567' });
    const job = await imported(
      'email,first_name,last_name,phone\nada@example.com,"",Lovelace,   \n',
      'upsert',
    );
    expect(job).toMatchObject({ status: 'completed', updated: 1, failed: 0 });
    const known = { first_name: 'Ada', last_name: 'Lovelace', phone: '+48 1234567' };
    expect(await all()).toMatchObject([known]);
  });

  test('updates by address where asked to, and tells of each changed field', async () => {
    await harness.client({ email: 'Ada@example.com', first_name: 'Ada', custom_fields: { a: 1 } });
    const job = await imported(
      '{"email":"ada@example.com","first_name":"Augusta","custom_fields":{"b":[1,2]}}\n' +
        '{"email":"new@example.com"}\n' +
        '{"email":"new@example.com","last_name":"Later"}\n' +
        'no json\n',
      'upsert',
    );
    expect(job).toMatchObject({ status: 'completed', created: 1, updated: 2, failed: 1 });
    expect(job.errors).toEqual([{ row: 4, message: 'the line is not a JSON object' }]);
    const [ada, later] = await all();
    expect(ada).toMatchObject({ first_name: 'Augusta', custom_fields: { a: 1, b: [1, 2] } });
    expect(later).toMatchObject({ last_name: 'Later' });
    const changes = await harness.told('clients.field_change');
    expect(
      changes.map((event) => (event.data as { field_name: string }).field_name).sort(),
    ).toEqual(['b', 'email', 'first_name']);
  });

  test.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffemail,first_name\na@example.com,José\n')],
    [
      'UTF-16, little end first',
      iconv.encode('email\tfirst_name\r\na@example.com\tJosé\r\n', 'utf-16le', { addBOM: true }),
    ],
    [
      'UTF-16, big end first',
      iconv.encode('email;first_name\na@example.com;José', 'utf-16be', { addBOM: true }),
    ],
    ['Windows-1252', iconv.encode('email;first_name\r\na@example.com;José\r\n', 'windows-1252')],
  ])('reads %s, and tells the delimiter by the header', async (_, file) => {
    expect(await imported(file)).toMatchObject({ status: 'completed', total: 1, created: 1 });
    expect(await all()).toMatchObject([{ email: 'a@example.com', first_name: 'José' }]);
  });

  test('decodes the euro and the curly quotes of Windows-1252, and refuses rows with what is no character of it', async () => {
    const text = 'email|custom_fields.note\na@example.com|Zoë “5 €”\nb@example.com|?\n';
    const file = iconv.encode(text, 'windows-1252');
    file[file.lastIndexOf(0x3f)] = 0x81;
    const job = await imported(file);
    expect(job).toMatchObject({ status: 'completed', created: 1, failed: 1 });
    expect(job.errors).toEqual([{ row: 2, message: expect.stringContaining('windows-1252') }]);
    expect(await all()).toMatchObject([{ custom_fields: { note: 'Zoë “5 €”' } }]);
  });

  test('ends as failed at a quote that is not closed, naming its row and keeping the rows before it', async () => {
    const job = await imported('email,first_name\na@i.com,A\n\nq1@i.com,"abc\nq2@i.com,x\n');
    expect(job).toMatchObject({ status: 'failed', total: 2, processed: 2, created: 1, failed: 1 });
    expect(job.errors).toEqual([{ row: 2, message: expect.stringContaining('not closed') }]);
    expect(await all()).toMatchObject([{ email: 'a@i.com' }]);
  });

  test('finds a quote that is not closed behind many batches, with the slices of others between', async () => {
    const rows = Array.from({ length: 1_100 }, (_, at) => `row-${at}@example.com,x`);
    const file = `email,first_name\n${rows.join('\n')}\nq1@i.com,"abc\nq2@i.com,"x"\n`;
    const id = await upload(iconv.encode(file, 'utf-16le', { addBOM: true }), 'create', 4_096);
    const { imports } = harness.deps;
    const advance: typeof imports.advance = async (...args) => {
      harness.clock.advanceMs(6_000);
      return imports.advance(...args);
    };
    await workOff(importWorker({ ...harness.deps, imports: { ...imports, advance } }));
    const job = await getImportJob(harness.deps, { workspace_id: harness.workspaceId, id });
    expect(job).toMatchObject({ status: 'failed', total: 1_101, processed: 1_101, created: 1_100 });
    expect(job.errors).toEqual([{ row: 1_101, message: expect.any(String) }]);
  });

  test('refuses a row with control characters, a blank name or a phone number without digits, and takes the others', async () => {
    const job = await imported(
      [
        'email,first_name,phone',
        'a@example.com,A\0B,',
        'b\0@example.com,B,',
        'c@example.com,"  ",',
        'd@example.com,D,abc',
        'e@example.com,E,"+49 30\t1"',
        'f@example.com,F"f"x,',
        'g@example.com,"",+49 30 1234567',
        'h@example.com,   ,',
      ].join('\n'),
    );
    expect(job).toMatchObject({ status: 'completed', processed: 8, created: 2, failed: 6 });
    expect(job.errors.map(({ row, message }) => [row, message.split(' ')[0]])).toEqual([
      [1, 'first_name'],
      [2, 'email'],
      [3, 'first_name'],
      [4, 'phone'],
      [5, 'phone'],
      [6, 'a'],
    ]);
    // A cell in which nothing stands says nothing.
    const found = (await all()).map(({ email, first_name }) => [email, first_name]);
    expect(found.sort()).toEqual([
      ['g@example.com', null],
      ['h@example.com', null],
    ]);
  });

  test('stops where it is cancelled, keeping the rows taken by then, and cannot be cancelled twice', async () => {
    const rows = Array.from({ length: 1_200 }, (_, at) => `row-${at}@example.com`);
    const id = await upload(`email\n${rows.join('\n')}\n`, 'create', 4_096);
    const request = { workspace_id: harness.workspaceId, id };
    const { imports } = harness.deps;
    let batches = 0;
    const advance: typeof imports.advance = async (...args) => {
      batches += 1;
      return imports.advance(...args);
    };
    const readChunk: typeof imports.readChunk = async (...args) => {
      if (batches > 0) await cancelImport(harness.deps, request).catch(() => undefined);
      return imports.readChunk(...args);
    };
    const cancelling = { ...imports, advance, readChunk };
    await workOff(importWorker({ ...harness.deps, imports: cancelling }));
    const job = await getImportJob(harness.deps, request);
    expect(job).toMatchObject({
      status: 'cancelled',
      total: 1_200,
      finished_at: expect.any(String),
    });
    expect(job.processed).toBeGreaterThan(0);
    expect(job.processed).toBeLessThan(1_200);
    expect(await all()).toHaveLength(job.created);
    await workOff(importWorker(harness.deps));
    expect(await getImportJob(harness.deps, request)).toEqual(job);
    const again = cancelImport(harness.deps, request);
    await expect(again).rejects.toMatchObject({ httpStatus: 409 });
    const elsewhere = cancelImport(harness.deps, { workspace_id: newId(), id });
    await expect(elsewhere).rejects.toMatchObject({ httpStatus: 404 });
  });

  test('cancelled once more under the same key is answered as the first time', async () => {
    const id = await upload('email\na@example.com\n');
    const request = { workspace_id: harness.workspaceId, id };
    const cancel = underOneKey(() => cancelImport(harness.deps, request));
    const first = await cancel();
    expect(first).toMatchObject({ id, status: 'cancelled' });
    expect(await cancel()).toEqual(first);
  });

  test('that is cancelled before it began takes nothing', async () => {
    const id = await upload('email\na@example.com\n');
    const request = { workspace_id: harness.workspaceId, id };
    expect(await cancelImport(harness.deps, request)).toMatchObject({ status: 'cancelled' });
    await workOff(importWorker(harness.deps));
    expect(await getImportJob(harness.deps, request)).toMatchObject({ processed: 0 });
    expect(await all()).toEqual([]);
  });

  test('fails as a whole when the columns are unknown', async () => {
    const job = await imported('email,shoe_size\na@example.com,42\n');
    expect(job).toMatchObject({ status: 'failed', created: 0 });
    expect(job.errors).toEqual([{ row: 0, message: 'unknown columns: shoe_size' }]);
  });

  test('goes on after a crash where it stopped, taking no row twice', async () => {
    const rows = Array.from({ length: 1_200 }, (_, at) => `row-${at}@example.com`);
    const id = await upload(`email\n${rows.join('\n')}\n`, 'create', 4_096);
    const { imports } = harness.deps;
    let batches = 0;
    const dying = {
      ...harness.deps,
      imports: {
        ...imports,
        advance: async (...args: Parameters<typeof imports.advance>) => {
          batches += 1;
          if (batches === 2) throw new Error('the power went');
          return imports.advance(...args);
        },
      },
    };
    await workOff(importWorker(dying));
    expect(batches).toBe(2);
    expect((await all()).length).toBe(500);
    harness.clock.advanceMs(61_000);
    await workOff(importWorker(harness.deps));
    const job = await getImportJob(harness.deps, { workspace_id: harness.workspaceId, id });
    expect(job).toMatchObject({ status: 'completed', processed: 1_200, created: 1_200, failed: 0 });
    expect(await harness.told('clients.created')).toHaveLength(1_200);
  });

  test('of one workspace, however large, lets another take its turn after a while', async () => {
    const rows = Array.from({ length: 1_500 }, (_, at) => `row-${at}@example.com`);
    const large = await upload(`email\n${rows.join('\n')}\n`, 'create', 4_096);
    const { imports } = harness.deps;
    const slow = {
      ...harness.deps,
      imports: {
        ...imports,
        advance: async (...args: Parameters<typeof imports.advance>) => {
          const advanced = await imports.advance(...args);
          harness.clock.advanceMs(6_000);
          return advanced;
        },
      },
    };
    const ROOM: Room = { count: 1, share: 1, inHand: new Map() };
    const spec = importWorker(slow);
    const turn = async () => {
      const [claimed] = await spec.due.claim(ROOM, {
        now: harness.clock.now(),
        leaseMs: spec.leaseMs,
      });
      if (claimed) await spec.work(claimed.row, claimed, awake);
      return claimed?.id;
    };
    expect(await turn()).toBe(large);
    const request = { workspace_id: harness.workspaceId, id: large };
    expect(await getImportJob(harness.deps, request)).toMatchObject({ processed: 500 });
    const other = newId();
    const chunk = Buffer.from('email\nsmall@example.com\n');
    const { id: small } = await openImport(harness.deps, {
      workspace_id: other,
      format: 'csv',
      mode: 'create',
      mapping: [],
    });
    await appendImport(harness.deps, { workspace_id: other, id: small, index: 0, chunk });
    await closeImport(harness.deps, { workspace_id: other, id: small, chunks: 1 });
    expect(await turn()).toBe(small);
    await workOff(spec);
    for (const [workspace_id, id, created] of [
      [other, small, 1],
      [harness.workspaceId, large, 1_500],
    ] as const) {
      const job = await getImportJob(harness.deps, { workspace_id, id });
      expect(job).toMatchObject({ status: 'completed', created });
    }
  });

  test('refuses a row that no client has room for, or that is nested too deep, and takes the others', async () => {
    const full = { one: 'x'.repeat(25_000) };
    const { email } = await harness.client({ email: 'full@example.com', custom_fields: full });
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const job = await imported(
      [
        `{"email":"${email}","custom_fields":{"two":"${'x'.repeat(25_000)}"}}`,
        `{"email":"large@example.com","custom_fields":{"one":"${'x'.repeat(40_000)}"}}`,
        `{"email":"deep@example.com","custom_fields":{"one":${deep}}}`,
        '{"email":"ada@example.com","custom_fields":{"one":[[1]]}}',
      ].join('\n'),
      'upsert',
      64 * 1024,
    );
    expect(job).toMatchObject({ status: 'completed', processed: 4, created: 1, failed: 3 });
    expect(
      job.errors.map(({ row, message }) => [row, message.replace(/.* (?=at most|deeper)/, '')]),
    ).toEqual([
      [1, 'at most 40000 characters of JSON'],
      [2, 'at most 40000 characters of JSON'],
      [3, 'deeper than 20 levels'],
    ]);
    const clients = await all();
    expect(clients.map((client) => client.custom_fields)).toEqual([{ one: [[1]] }, full]);
  });

  test('refuses a cell of a CSV that is nested too deep', async () => {
    const deep = `${'['.repeat(1_000)}${']'.repeat(1_000)}`;
    const job = await imported(`email,custom_fields.a\na@example.com,${deep}\nb@example.com,[1]\n`);
    expect(job).toMatchObject({ status: 'completed', created: 1, failed: 1 });
    expect(job.errors).toEqual([
      { row: 1, message: 'custom_fields is nested deeper than 20 levels' },
    ]);
  });

  test('says of each row what is wrong in so few words that the errors of a thousand can be kept', async () => {
    const row = `{"${'😀'.repeat(130_000)}":1}\n`;
    const job = await imported(row.repeat(40), 'create', 512 * 1024);
    expect(job).toMatchObject({ status: 'completed', failed: 40 });
    for (const { message } of job.errors) {
      expect(message.length).toBeLessThanOrEqual(1_001);
      expect(message).toMatch(/^unknown column (?:😀)+…$/u);
    }
  });

  test('ends as failed where its next rows cannot be taken time after time, and keeps those before', async () => {
    const { deps, workspaceId } = harness;
    const rows = Array.from({ length: 600 }, (_, at) => `${at}@example.com`);
    const id = await upload(['email', ...rows].join('\n'), 'create', 4_096);
    let batches = 0;
    const advance: typeof deps.imports.advance = (...args) => {
      batches += 1;
      if (batches > 1) return Promise.reject(new Error('the progress cannot be noted'));
      return deps.imports.advance(...args);
    };
    const worker = importWorker({ ...deps, imports: { ...deps.imports, advance } });
    for (let fault = 1; fault <= 12; fault += 1) {
      const before = await getImportJob(deps, { workspace_id: workspaceId, id });
      expect(['pending', 'running']).toContain(before.status);
      await workOff(worker);
      harness.clock.advanceMs(60_001);
    }
    const job = await getImportJob(deps, { workspace_id: workspaceId, id });
    expect(job).toMatchObject({ status: 'failed', created: 500 });
    expect(job.errors).toEqual([
      { row: 0, message: 'the import could not be continued behind row 500' },
    ]);
    expect(await workOff(worker)).toBe(0);
  });

  test('has a row that the store refuses among its errors, and takes all others, also in the same batch', async () => {
    const { deps, workspaceId } = harness;
    const rows = Array.from({ length: 40 }, (_, at) => `${at}@example.com`);
    rows.splice(20, 0, 'ba"d@example.com');
    const id = await upload(['email', ...rows].join('\n'), 'create', 4_096);
    const bad = new Set(['0@example.com', '17@example.com', '39@example.com']);
    const insertAll: typeof deps.clients.insertAll = (added, session) =>
      added.some(({ email }) => bad.has(email!))
        ? Promise.reject(new Error('the store takes no such row'))
        : deps.clients.insertAll(added, session);
    await workOff(importWorker({ ...deps, clients: { ...deps.clients, insertAll } }));
    const job = await getImportJob(deps, { workspace_id: workspaceId, id });
    expect(job).toMatchObject({ status: 'completed', processed: 41, created: 37, failed: 4 });
    const message = 'the row could not be kept';
    expect(job.errors).toMatchObject([
      { row: 1, message },
      { row: 18, message },
      { row: 21, message: expect.stringContaining('quote') },
      { row: 41, message },
    ]);
    expect((await all()).length).toBe(37);
  });

  test('is done once under one key however often its answer is lost, and another file under the key is refused', async () => {
    const { deps, workspaceId } = harness;
    const keyed = { ...systemContext({ operationId: newId(), operationKept: true }) };
    const send = async (file: string) => {
      const job = await openImport(deps, {
        workspace_id: workspaceId,
        format: 'csv',
        mode: 'create',
        mapping: [],
      });
      const piece = { workspace_id: workspaceId, id: job.id, index: 0, chunk: Buffer.from(file) };
      await appendImport(deps, piece);
      const close = () => closeImport(deps, { workspace_id: workspaceId, id: job.id, chunks: 1 });
      return runInContext({ ...keyed, fingerprint: file }, close);
    };
    const file = 'first_name\nAda\n';
    const first = await send(file);
    await workOff(importWorker(deps));
    expect(await send(file)).toEqual(first);
    await expect(send('first_name\nGrace\n')).rejects.toMatchObject({ httpStatus: 409 });
    await workOff(importWorker(deps));
    expect((await all()).map((client) => client.first_name)).toEqual(['Ada']);
    const { jobs } = await listImportJobs(deps, { workspace_id: workspaceId, limit: 10 });
    expect(jobs.map(({ id }) => id)).toEqual([first.id]);
  });

  test('whose upload was given up while it was being closed is answered with no import under its key: the file that comes again is taken', async () => {
    const { deps, workspaceId: workspace_id } = harness;
    const uploaded = async () => {
      const asked = { workspace_id, format: 'csv', mode: 'create', mapping: [] };
      const { id } = await openImport(deps, asked);
      const chunk = Buffer.from('first_name\nAda\n');
      await appendImport(deps, { workspace_id, id, index: 0, chunk });
      return { workspace_id, id, chunks: 1 };
    };
    const [first, again] = [await uploaded(), await uploaded()];
    let closed = first;
    const chunkSizes: typeof deps.imports.chunkSizes = async (job) => {
      const sizes = await deps.imports.chunkSizes(job);
      await abandonImport(deps, { workspace_id, id: first.id });
      return sizes;
    };
    const slow = { ...deps, imports: { ...deps.imports, chunkSizes } };
    const close = underOneKey(() => closeImport(slow, closed));
    await expect(close()).rejects.toMatchObject({ httpStatus: 404 });
    closed = again;
    expect(await close()).toMatchObject({ id: again.id, status: 'pending' });
    await workOff(importWorker(deps));
    expect((await all()).map((client) => client.first_name)).toEqual(['Ada']);
  });

  test('that two calls close at once is one import for both', async () => {
    const { deps, workspaceId: workspace_id } = harness;
    const asked = { workspace_id, format: 'csv', mode: 'create', mapping: [] };
    const { id } = await openImport(deps, asked);
    const chunk = Buffer.from('first_name\nAda\n');
    await appendImport(deps, { workspace_id, id, index: 0, chunk });
    const whole = { workspace_id, id, chunks: 1 };
    const chunkSizes: typeof deps.imports.chunkSizes = async (job) => {
      const sizes = await deps.imports.chunkSizes(job);
      await closeImport(deps, whole);
      return sizes;
    };
    const second = { ...deps, imports: { ...deps.imports, chunkSizes } };
    expect(await closeImport(second, whole)).toMatchObject({ id, status: 'pending' });
  });

  test('refuses an upload that lacks a piece', async () => {
    const { deps, workspaceId } = harness;
    const { id } = await openImport(deps, {
      workspace_id: workspaceId,
      format: 'csv',
      mode: 'create',
      mapping: [],
    });
    await appendImport(deps, { workspace_id: workspaceId, id, index: 0, chunk: Buffer.from('x') });
    const closing = closeImport(deps, { workspace_id: workspaceId, id, chunks: 2 });
    await expect(closing).rejects.toMatchObject({ httpStatus: 400 });
  });
});

describe('exporting clients', () => {
  test('streams every matching client as NDJSON', async () => {
    await harness.client({ email: 'a@example.com', source: 'web' });
    await harness.client({ email: 'b@example.com' });
    const lines = (await exported('ndjson', { source: 'web' })).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual((await all()).slice(0, 1));
  });

  test('defuses formulas in a CSV that can be imported again', async () => {
    await harness.client({
      email: 'a@example.com',
      first_name: '=SUM(A1)',
      last_name: 'Comma, "Quote"',
      phone: '+49 30 1234567',
      custom_fields: { note: '@cmd', tags: ['a', 'b'], score: -5 },
    });
    const text = await exported('csv');
    const [header, row] = text.split('\r\n');
    expect(header).toMatch(/^id,workspace_id,first_name,.*custom_fields\.note,/);
    expect(row).toContain("'=SUM(A1)");
    expect(row).toContain("'+49 30 1234567");
    expect(row).toContain('"Comma, ""Quote"""');
    expect(row).toContain("'@cmd");
    expect(row).toContain(',-5,');
    const job = await imported(text, 'upsert');
    expect(job).toMatchObject({ status: 'completed', updated: 1, failed: 0 });
    const [client] = await all();
    expect(client).toMatchObject({ first_name: '=SUM(A1)', phone: '+49 30 1234567' });
    expect(client?.custom_fields).toMatchObject({ note: '@cmd', tags: ['a', 'b'] });
  });

  test.each(['all', 'narrowed'])(
    'has columns for the fields that are defined and for those that most have, and one for all others, that can be imported again: %s',
    async (list) => {
      const { deps, workspaceId: workspace_id } = harness;
      await createField(deps, { workspace_id, field_name: 'rare', field_type: 'number' });
      const ownFields = (client: string) =>
        Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`${client}-${n}`, `n ${n}`]));
      const rows = ['a', 'b', 'c'].map((name) => ({
        email: `${name}@example.com`,
        custom_fields: { shop: 'Bern', ...ownFields(name) },
      }));
      for (const row of rows) await harness.client(row);
      const odd = { rare: 7, shop: 'Ulm', zoo: { deep: ['a;=1', 2, true] } };
      await harness.client({ email: 'd@example.com', custom_fields: odd });
      const filter = list === 'narrowed' ? { has_pass: false } : {};
      const text = await exported('csv', filter);
      const head = text.slice(0, text.indexOf('\r\n')).split(',');
      const custom = head.filter((column) => column.startsWith('custom_fields'));
      expect(custom).toEqual(expect.arrayContaining(['custom_fields.rare', 'custom_fields.shop']));
      expect(custom.at(-1)).toBe('custom_fields');
      // The field that is defined, as many free-form ones as have a column, and the rest.
      expect(custom).toHaveLength(1 + 500 + 1);
      for (const { id } of await all()) await deleteClient(deps, { workspace_id, id });
      expect(await imported(text, 'create', 65_536)).toMatchObject({ created: 4, failed: 0 });
      const fieldsOf = (await all()).map(({ custom_fields }) => custom_fields);
      expect(fieldsOf).toEqual([...rows.map(({ custom_fields }) => custom_fields), odd]);
    },
  );

  test('leaves the cell of a client without a field empty, whatever the name of the field', async () => {
    await harness.client({ email: 'a@example.com', custom_fields: { toString: 'kept' } });
    await harness.client({ email: 'b@example.com' });
    const text = await exported('csv');
    expect(text).toContain(',kept');
    expect(text).not.toContain('native code');
  });
});

describe('the right of access', () => {
  test('gives everything held on a person in one JSON document', async () => {
    const { deps, workspaceId } = harness;
    const client = await harness.client({ first_name: 'Ada' });
    await updateClient(deps, { workspace_id: workspaceId, id: client.id, first_name: 'Augusta' });
    let text = '';
    const request = { workspace_id: workspaceId, client_id: client.id };
    await noteAddressProof(deps, request);
    for await (const chunk of exportPerson(deps, request)) text += chunk.text;
    const { data } = JSON.parse(text);
    expect(data).toMatchObject({
      client: { id: client.id, first_name: 'Augusta' },
      address_proven_at: harness.clock.now().toISOString(),
      external_identities: [],
      metrics: { transaction_count: 0 },
      ledger: { wallets: [] },
      events: [{ field_name: 'first_name', old_value: 'Ada' }],
    });
  });

  test('takes what a service of the release before gives in one message', async () => {
    const { deps, workspaceId } = harness;
    const client = await harness.client();
    const unknown = Object.assign(new Error('12 UNIMPLEMENTED'), { code: 12 });
    const ledger = {
      // biome-ignore lint/correctness/useYield: it fails before it has anything to give
      async *StreamClientExport(): AsyncGenerator<never> {
        throw Object.assign(new Error('ledger is being upgraded'), { cause: unknown });
      },
      inOneMessage: async () => ({ data: { wallets: ['as before'] } }),
    };
    const request = { workspace_id: workspaceId, client_id: client.id };
    let text = '';
    for await (const chunk of exportPerson({ ...deps, holders: { ledger } }, request))
      text += chunk.text;
    expect(JSON.parse(text).data).toMatchObject({ ledger: { wallets: ['as before'] }, events: [] });
  });

  test('refuses rather than leaving out a service that is away', async () => {
    const client = await harness.client();
    harness.ledger.goAway();
    const request = { workspace_id: harness.workspaceId, client_id: client.id };
    const chunks = exportPerson(harness.deps, request)[Symbol.asyncIterator]();
    await expect(chunks.next()).rejects.toThrow('the ledger is away');
  });
});

describe('a file that is asked about', () => {
  const check = (file: string | Buffer, mapping: Record<string, string | null> = {}, more = {}) =>
    checkImport(harness.deps, {
      workspace_id: harness.workspaceId,
      format: String(file).startsWith('{') ? 'ndjson' : 'csv',
      head: Buffer.from(file as string),
      is_whole: true,
      mapping: Object.entries(mapping).map(([column, field]) => ({ column, field })),
      ...more,
    });
  const mapping = { 'E-Mail': 'email', Vorname: 'first_name', Notiz: null };
  const file = 'E-Mail;Vorname;Notiz\na@example.com;Ada;x\nno address;Bo;y\n;Cy;z\n';

  test('is shown as an import under the same columns then reads it, and nothing is written', async () => {
    await imported('email\na@example.com\n');
    const told = await check(file, mapping, { mode: 'upsert' });
    expect(told).toMatchObject({
      columns: [
        { column: 'E-Mail', field: 'email' },
        { column: 'Vorname', field: 'first_name' },
        { column: 'Notiz', field: null },
      ],
      rows: [
        { row: 1, client: { email: 'a@example.com', first_name: 'Ada' }, problem: null },
        { row: 2, client: null, problem: 'email must be an e-mail address' },
        { row: 3, client: { first_name: 'Cy' }, problem: null, client_id: null },
      ],
      problems: [{ row: 2, message: 'email must be an e-mail address' }],
      rows_read: 3,
      is_whole: true,
    });
    expect(told.rows[0]!.client_id).toBe((await all())[0]!.id);
    expect(await all()).toHaveLength(1);
    const id = await upload(file, 'upsert', 7, mapping);
    await workOff(importWorker(harness.deps));
    const job = await getImportJob(harness.deps, { workspace_id: harness.workspaceId, id });
    expect(job).toMatchObject({ status: 'completed', created: 1, updated: 1, failed: 1 });
    expect(job.errors).toEqual(told.problems);
    expect((await all()).map(({ first_name }) => first_name).sort()).toEqual(['Ada', 'Cy']);
  });

  const names = fc.constantFrom('ada', 'ADA', 'bo', 'cy', 'dee', 'dee ');
  const cells = fc.record({
    email: fc.oneof({ weight: 5, arbitrary: names }, fc.constantFrom('', 'no address')),
    first_name: fc.constantFrom('Ada', 'Bo', ''),
    marketing_consent: fc.constantFrom('true', 'no', '', '', 'perhaps'),
  });
  const files = fc.record({
    known: fc.uniqueArray(fc.constantFrom('ada', 'bo', 'cy')),
    rows: fc.array(cells, { minLength: 1, maxLength: 12 }),
    mode: fc.constantFrom('create' as const, 'upsert' as const),
    format: fc.constantFrom('csv' as const, 'ndjson' as const),
  });

  test('is answered row by row as the import then does, also of addresses that stand twice or are taken', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(files, async ({ known, rows, mode, format }) => {
        run += 1;
        const domain = `@${run}.example.com`;
        const address = (name: string) =>
          name === '' || name === 'no address' ? name : `${name.trimEnd()}${domain}`;
        if (known.length > 0)
          await imported(['email', ...known.map(address), ''].join('\n'), 'upsert');
        const sent = rows.map(({ email, ...row }) => ({ ...row, email: address(email) }));
        const text =
          format === 'ndjson'
            ? sent.map((row) => `${JSON.stringify(row)}\n`).join('')
            : ['first_name,marketing_consent,email', ...sent.map((row) => Object.values(row))]
                .map((row) => `${row}\n`)
                .join('');
        const told = await check(text, {}, { mode });
        const job = await imported(text, mode);
        expect(job.errors).toEqual(told.problems);
        const countOf = (outcome: string) =>
          told.rows.filter((row) => row.outcome === outcome).length;
        expect({
          create: countOf('create'),
          update: countOf('update'),
          refuse: countOf('refuse'),
        }).toEqual({
          create: job.created,
          update: job.updated,
          refuse: job.failed,
        });
      }),
      propertySettings(6),
    );
  });

  test('names the row that makes the client of an address that stands twice, and who has it already', async () => {
    await imported('email\na@example.com\n');
    const twice = 'email\na@example.com\nb@example.com\nB@example.com\nno address\n';
    const { id } = (await all())[0]!;
    const taken = 'email is taken by another client of the workspace';
    expect((await check(twice)).rows).toMatchObject([
      { outcome: 'refuse', problem: taken, client_id: id, earlier_row: null },
      { outcome: 'create', problem: null, client_id: null, earlier_row: null },
      { outcome: 'refuse', problem: taken, client_id: null, earlier_row: 2 },
      { outcome: 'refuse', problem: 'email must be an e-mail address', earlier_row: null },
    ]);
    const { rows, problems } = await check(twice, {}, { mode: 'upsert' });
    expect(rows.map(({ outcome }) => outcome)).toEqual(['update', 'create', 'update', 'refuse']);
    expect(problems).toEqual([{ row: 4, message: 'email must be an e-mail address' }]);
  });

  test('names once the unknown columns, and what a mapping has wrong', async () => {
    const first = await check(file);
    expect(first.problems).toEqual([
      { row: 0, message: 'unknown columns: E-Mail, Vorname, Notiz' },
    ]);
    expect(first.columns.map(({ field }) => field)).toEqual([null, null, null]);
    const twice = await check(file, { 'E-Mail': 'email', Vorname: 'email', Notiz: null });
    expect(twice.problems[0]).toEqual({ row: 0, message: 'two columns are read as one field' });
    const absent = await check(file, { ...mapping, Ort: null });
    expect(absent.problems[0]).toEqual({ row: 0, message: 'the file has no columns: Ort' });
    expect((await imported(file)).status).toBe('failed');
  });

  test('of which only the beginning came is read up to its last whole row, in the right encoding', async () => {
    const text = Buffer.from('first_name\nZoë\nÄ');
    const cut = text.subarray(0, text.length - 1);
    const told = await check(cut, {}, { is_whole: false });
    expect(told).toMatchObject({ rows: [{ client: { first_name: 'Zoë' } }], problems: [] });
    const open = await check('first_name\nBo\n"Cy\n', {}, { is_whole: false });
    expect(open).toMatchObject({ rows_read: 1, problems: [], is_whole: false });
    const closed = await check('first_name\nBo\n"Cy\n');
    expect(closed.problems).toEqual([
      { row: 2, message: 'a quote that begins in this row is not closed' },
    ]);
  });
});

test('imports are listed newest first, page by page, and only those of the workspace', async () => {
  const { deps, workspaceId } = harness;
  const ids = [await upload('email\na@example.com\n'), await upload('email\nb@example.com\n')];
  await openImport(deps, { workspace_id: workspaceId, format: 'csv', mode: 'create', mapping: [] });
  const page = await listImportJobs(deps, { workspace_id: workspaceId, limit: 1 });
  expect(page.jobs.map(({ id }) => id)).toEqual([ids[1]]);
  const cursor = page.next_cursor!;
  const rest = await listImportJobs(deps, { workspace_id: workspaceId, limit: 1, cursor });
  expect(rest.jobs.map(({ id }) => id)).toEqual([ids[0]]);
  expect(rest.next_cursor).toBeNull();
  expect((await listImportJobs(deps, { workspace_id: newId(), limit: 9 })).jobs).toEqual([]);
});
