import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verifyWebhook } from '@laurel/client';
import { until } from '@laurel/testing';
import type { Command } from 'commander';
import { createProfiles, type Profiles } from './profiles';
import { createProgram, run } from './program';
import { createRecorder, type Recorder } from './testing/recorder';

const WORKSPACE = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const ANNA = {
  id: '3f2504e0-4f89-41d3-9a0c-0305e82c3302',
  first_name: 'Anna',
  last_name: null,
  email: 'anna@example.com',
  phone: '+48 501 234 567',
};

type Answer = [status: number, body: unknown, headers?: Record<string, string>];
/** `null`: no answer comes. */
let answers: Record<string, Answer | null>;
let asked: { call: string; headers: Record<string, unknown>; body: string; bytes: Buffer }[];
let server: Server;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-cli-'));
  answers = {};
  asked = [];
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    const body = bytes.toString();
    const call = `${request.method} ${request.url!.replace(`/service-api/workspace/${WORKSPACE}`, ':ws')}`;
    asked.push({ call, headers: request.headers, body, bytes });
    if (answers[call] === null) return void response.destroy();
    const [status, answer, headers = {}] = answers[call] ?? [404, { error: `nothing at ${call}` }];
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    if ('content-length' in headers) response.write(text, () => response.destroy());
    else response.end(text);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  server.closeAllConnections();
  server.close();
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const signedIn = (more: Parameters<typeof createRecorder>[1] = {}): Recorder =>
  createRecorder(folder, {
    ...more,
    env: { LAUREL_URL: url(), LAUREL_TOKEN: 'a token', LAUREL_WORKSPACE: WORKSPACE, ...more.env },
  });
async function laurel(terminal: Recorder, ...parameters: string[]) {
  const code = await run(terminal, parameters);
  return { code, ...terminal.said() };
}

function leaves(command: Command, before = ''): [string, Command][] {
  const name = `${before}${command.name()}`;
  return [[name, command], ...command.commands.flatMap((one) => leaves(one, `${name} `))];
}
const all = leaves(createProgram(createRecorder('')));

describe('the help', () => {
  test.each(all)('of %s says what it does, with two examples of it', async (name) => {
    const terminal = createRecorder(folder);
    const [, ...words] = name.split(' ');
    expect(await run(terminal, [...words, '--help'])).toBe(0);
    const { out } = terminal.said();
    expect(out.match(/^ {2}\$ laurel /gm)?.length).toBeGreaterThanOrEqual(2);
    for (const [, example] of out.matchAll(/^ {2}\$ (laurel [^\n]*)/gm))
      expect(example).toContain(words.length === 0 ? 'laurel' : words[0]);
  });
});

test('a variable that is set and empty says nothing: without another token one is not signed in', async () => {
  const { code, err } = await laurel(signedIn({ env: { LAUREL_TOKEN: '' } }), 'whoami');
  expect([code, asked]).toEqual([3, []]);
  expect(err).toContain('nobody is signed in');
});

test('who signs in and is in no workspace yet reads how to make one', async () => {
  answers['GET /service-api/user/me'] = [200, { data: { email: ANNA.email } }];
  answers['GET /service-api/workspaces'] = [200, { data: [] }];
  const terminal = createRecorder(folder, { input: 'laurel_x' });
  const { code, out } = await laurel(terminal, 'login', '--url', url(), '--token-stdin');
  expect(code).toBe(0);
  expect(out).toContain("make one: laurel api workspaces.create --data '{");
});

describe('cloning', () => {
  const BEGUN = {
    id: ANNA.id,
    name: 'Copy',
    status: 'copying',
    problem: null,
    members: 3,
    members_copied: 0,
    date_created: 'x',
  };
  const cloning = () => laurel(signedIn(), 'clone', 'Copy', '--members', '3', '--json');

  test('waits until the workspace is there and says how it is called', async () => {
    answers['POST :ws/clone'] = [202, { data: BEGUN }];
    const ready = { ...BEGUN, status: 'ready', members_copied: 3 };
    answers[`GET :ws/clone/${BEGUN.id}`] = [200, { data: ready }];
    answers[`GET /service-api/workspace/${BEGUN.id}`] = [200, { data: { slug: 'copy' } }];
    const { code, out } = await cloning();
    expect([code, JSON.parse(out)]).toEqual([0, { ...ready, slug: 'copy' }]);
    const { headers, body } = asked.find(({ call }) => call === 'POST :ws/clone')!;
    expect(JSON.parse(body)).toEqual({ name: 'Copy', members: 3, anonymised: true });
    expect(headers['idempotency-key']).toMatch(/^laurel-/);
  });

  test('is repeated under the key that is said where no answer came', async () => {
    answers['POST :ws/clone'] = null;
    const { code, err } = await laurel(signedIn(), 'clone', 'Copy', '--key', 'once');
    expect([code, err]).toEqual([4, expect.stringContaining('again with --key once')]);
    expect(asked.every(({ headers }) => headers['idempotency-key'] === 'once')).toBe(true);
  });

  test('that comes to nothing says why, and ends with 1', async () => {
    answers['POST :ws/clone'] = [202, { data: BEGUN }];
    const failed = { ...BEGUN, status: 'failed', problem: 'its source was deleted' };
    answers[`GET :ws/clone/${BEGUN.id}`] = [200, { data: failed }];
    const { code, err } = await cloning();
    expect([code, err]).toEqual([1, expect.stringContaining('its source was deleted')]);
  });
});

describe('an import', () => {
  const job = (more: object) => ({
    data: {
      id: ANNA.id,
      status: 'completed',
      processed: 3,
      total: 3,
      created: 1,
      updated: 0,
      ...more,
    },
  });
  let file: string;
  beforeEach(() => {
    file = path.join(folder, 'members.csv');
    writeFileSync(file, 'email\nx\n');
  });

  test('says how many were refused, and of how many it knows why', async () => {
    const errors = [{ row: 2, message: '"x" is no address' }];
    const finished_at = '2026-01-31T10:00:00.000Z';
    answers['POST :ws/clients/import?mode=create'] = [202, job({ failed: 2, errors, finished_at })];
    const { code, out } = await laurel(signedIn(), 'members', 'import', file);
    expect([code, out]).toEqual([1, expect.stringContaining('2 refused')]);
    expect(out).toContain('1 new, 0 brought up to date');
    expect(out).toContain(`why: ${file}.refused.csv, the first 1 of them`);
    const why = 'row,reason\n2,"""x"" is no address"\n';
    expect(readFileSync(`${file}.refused.csv`, 'utf8')).toBe(why);
  });

  test('takes what is piped in, and writes down what was refused of it in the folder', async () => {
    const finished_at = '2026-01-31T10:00:00.000Z';
    const errors = [{ row: 1, message: 'no' }];
    answers['POST :ws/clients/import?mode=create'] = [202, job({ failed: 1, errors, finished_at })];
    const before = process.cwd();
    process.chdir(folder);
    try {
      const { out } = await laurel(signedIn({ input: 'email\npiped\n' }), 'members', 'import', '-');
      expect(out).toContain('why: members.refused.csv');
    } finally {
      process.chdir(before);
    }
    expect(readFileSync(path.join(folder, 'members.refused.csv'), 'utf8')).toContain('1,"no"');
    expect(asked[0]!.body).toContain('piped');
  });

  test('sends what is piped in as it came, in whatever encoding, and under the key that is said', async () => {
    answers['POST :ws/clients/import?mode=create'] = [
      202,
      job({ failed: 0, errors: [], finished_at: '2026-01-31T10:00:00.000Z' }),
    ];
    const input = Buffer.from('email,first_name\nx@example.com,J\xf6rg\n', 'latin1');
    const importing = ['members', 'import', '-', '--key', 'once'];
    expect(await laurel(signedIn({ input }), ...importing)).toMatchObject({ code: 0, err: '' });
    expect(asked[0]!.bytes.includes(input)).toBe(true);
    expect(asked[0]!.headers['idempotency-key']).toBe('once');
  });

  test('says why rows were refused also where that cannot be written down', async () => {
    const finished_at = '2026-01-31T10:00:00.000Z';
    const errors = [{ row: 7, message: 'no address' }];
    answers['POST :ws/clients/import?mode=create'] = [202, job({ failed: 1, errors, finished_at })];
    mkdirSync(`${file}.refused.csv`);
    const { code, out } = await laurel(signedIn(), 'members', 'import', file);
    expect([code, out]).toEqual([1, expect.stringContaining('row 7: no address')]);
    expect(out).toContain('1 new, 0 brought up to date, 1 refused');
  });

  test('whose state cannot be read is named, so that it can be looked at again', async () => {
    answers['POST :ws/clients/import?mode=create'] = [202, job({ finished_at: null })];
    const { code, err } = await laurel(signedIn(), 'members', 'import', file);
    expect(code).toBe(1);
    const again = `laurel members import --job ${ANNA.id}`;
    expect(err).toContain(`look again: ${again}`);
    const told = await laurel(signedIn(), 'members', 'import', file, '--json');
    const [note, refusal] = told.err.trim().split('\n');
    expect(JSON.parse(note!)).toEqual({ note: { look_again: again } });
    expect(JSON.parse(refusal!)).toMatchObject({ error: { status: 404 } });
  });
});

describe('an export', () => {
  let file: string;
  const exporting = () => laurel(signedIn(), 'members', 'export', '--output', file);
  beforeEach(() => {
    file = path.join(folder, 'members.csv');
    writeFileSync(file, 'of yesterday\n');
    answers['GET :ws/clients?limit=1'] = [200, { data: [], meta: { total: 1 } }];
    answers['GET :ws/clients/export?format=csv'] = [200, 'email\nx\n'];
  });

  test('is in its file once all of it has come', async () => {
    const { code, out } = await exporting();
    expect([code, out]).toEqual([0, `✓ 1 members in ${file}\n`]);
    expect(readFileSync(file, 'utf8')).toBe('email\nx\n');
  });

  test('is byte by byte what came, with its mark, in a file and on standard output', async () => {
    const text = '\uFEFFemail,first_name\r\nx@example.com,Jörg\r\n';
    answers['GET :ws/clients/export?format=csv'] = [200, text];
    expect((await exporting()).out).toContain('1 members');
    expect(readFileSync(file)).toEqual(Buffer.from(text));
    const terminal = signedIn();
    await laurel(terminal, 'members', 'export');
    expect(terminal.written()).toEqual(Buffer.from(text));
  });

  test('that breaks off leaves the file as it was, and nothing beside it', async () => {
    const length = { 'content-length': '100' };
    answers['GET :ws/clients/export?format=csv'] = [200, 'email\nx\n', length];
    const { code, err } = await exporting();
    expect([code, err]).toEqual([1, expect.stringContaining('broke off')]);
    expect(readFileSync(file, 'utf8')).toBe('of yesterday\n');
    expect(readdirSync(folder)).toEqual(['members.csv']);
  });

  test('goes into what is no file as it comes', async () => {
    file = '/dev/null';
    expect((await exporting()).code).toBe(0);
    expect(statSync(file).isFile()).toBe(false);
  });
});

describe('the profile that LAUREL_PROFILE names', () => {
  const OTHER = '3f2504e0-4f89-41d3-9a0c-0305e82c3304';
  const terminal = (input = '') =>
    createRecorder(folder, { input, env: { LAUREL_PROFILE: 'staging' } });
  let profiles: Profiles;
  beforeEach(() => {
    profiles = createProfiles(folder);
    for (const name of ['staging', 'shop'])
      profiles.put(name, { url: url(), token: `of ${name}`, workspace: WORKSPACE });
    answers['GET /service-api/user/me'] = [200, { data: { email: ANNA.email } }];
    answers['GET /service-api/workspaces'] = [200, { data: [{ id: OTHER, slug: 'other' }] }];
    answers[`GET /service-api/workspace/${OTHER}`] = [200, { data: { id: OTHER, slug: 'other' } }];
  });

  test('is the one in which a workspace is noted', async () => {
    expect(await run(terminal(), ['use', 'other'])).toBe(0);
    expect(profiles.get('staging')?.workspace).toBe(OTHER);
    expect(profiles.get('shop')?.workspace).toBe(WORKSPACE);
  });

  test('is the one that is signed out, and the one that is signed in', async () => {
    expect(await run(terminal(), ['logout'])).toBe(0);
    expect([profiles.get('staging'), profiles.get('shop')?.token]).toEqual([undefined, 'of shop']);
    const signIn = ['login', '--url', url(), '--token-stdin'];
    expect(await run(terminal('new'), signIn)).toBe(0);
    expect(profiles.get('staging')?.token).toBe('new');
    expect(profiles.get('default')).toBeUndefined();
  });
});

describe('tokens', () => {
  const CI = { id: ANNA.id, name: 'CI', scope: 'configure', workspace_id: WORKSPACE };
  const listed = { ...CI, date_created: 'x', last_used_at: null, expires_at: null };

  test('are made with a scope, and the token alone is what goes on to where it is kept', async () => {
    answers['POST /service-api/user/api-tokens'] = [
      201,
      { data: { ...listed, token: 'laurel_x' } },
    ];
    const made = ['tokens', 'create', 'CI', '--scope', 'configure', '--bound', '--days', '2'];
    const { code, out } = await laurel(signedIn(), ...made);
    expect([code, out]).toEqual([0, 'laurel_x\n']);
    const { expires_at, ...body } = JSON.parse(asked.at(-1)!.body);
    expect(body).toEqual({ name: 'CI', scope: 'configure', workspace_id: WORKSPACE });
    const daysLeft = (Date.parse(expires_at) - Date.now()) / 86_400_000;
    expect(daysLeft).toBeCloseTo(2, 1);
    expect((await laurel(signedIn(), 'tokens', 'create', 'CI')).code).toBe(2);
  });

  test('are ended by their names, unless two bear the same', async () => {
    answers['GET /service-api/user/api-tokens'] = [200, { data: [listed] }];
    answers[`DELETE /service-api/user/api-tokens/${CI.id}`] = [200, { message: 'done' }];
    expect((await laurel(signedIn(), 'tokens', 'revoke', 'CI')).code).toBe(0);
    expect(asked.at(-1)!.call).toBe(`DELETE /service-api/user/api-tokens/${CI.id}`);
    answers['GET /service-api/user/api-tokens'] = [200, { data: [listed, listed] }];
    asked = [];
    expect((await laurel(signedIn(), 'tokens', 'revoke', 'CI')).code).toBe(2);
    expect(asked.map(({ call }) => call)).toEqual(['GET /service-api/user/api-tokens']);
  });

  const answerSignIn = (): void => {
    answers['POST /auth/login'] = [200, { data: { access_token: 'a', refresh_token: 'r' } }];
    answers['GET /service-api/user/me'] = [200, { data: { email: ANNA.email } }];
    answers['GET /service-api/workspaces'] = [200, { data: [{ id: WORKSPACE, slug: 'shop' }] }];
    answers['POST /service-api/user/api-tokens'] = [
      201,
      { data: { ...listed, token: 'laurel_x' } },
    ];
  };

  test('take the place of the session where somebody signs in for one scope', async () => {
    answerSignIn();
    answers['POST /auth/logout'] = [200, { message: 'done' }];
    const terminal = createRecorder(folder, { input: 'password' });
    const words = ['login', '--url', url(), '--email', ANNA.email, '--password-stdin'];
    expect(await laurel(terminal, ...words, '--scope', 'configure')).toMatchObject({ code: 0 });
    expect(asked.at(-1)!.call).toBe('POST /auth/logout');
    answers['GET /service-api/user/api-tokens'] = [200, { data: [listed] }];
    await laurel(createRecorder(folder), 'tokens', 'list');
    expect(asked.at(-1)!.headers.authorization).toBe('Bearer laurel_x');
    expect((await laurel(terminal, ...words, '--bound')).code).toBe(2);
  });

  test('are kept, as they are shown once, also where the session in whose place they are cannot be ended', async () => {
    answerSignIn();
    answers['POST /auth/logout'] = null;
    const terminal = createRecorder(folder, { input: 'password' });
    const words = ['login', '--url', url(), '--email', ANNA.email, '--password-stdin'];
    expect(await laurel(terminal, ...words, '--scope', 'configure')).toMatchObject({ code: 4 });
    expect(createProfiles(folder).get('default')?.token).toBe('laurel_x');
  });
});

describe('the exit code', () => {
  test('is 2 where a command is called in a way that cannot be meant', async () => {
    expect((await laurel(signedIn(), 'memers')).code).toBe(2);
    expect((await laurel(signedIn(), 'points', 'earn', 'anna@example.com')).code).toBe(2);
    expect((await laurel(signedIn(), 'points', 'earn', 'anna@example.com', 'ten')).code).toBe(2);
    expect((await laurel(signedIn(), 'api', 'points.ern')).err).toContain('points.earn');
    expect((await laurel(signedIn(), 'api', 'clients.updat')).err).toContain('clients.update');
  });

  test.each(['nothing', 'points earn', 'points earn anna many', 'tail --loud', 'api points.ern'])(
    'is 2 there, and programs hear why as of any other no: %s',
    async (words) => {
      const { code, out, err } = await laurel(signedIn(), ...words.split(' '), '--json');
      expect([code, out]).toEqual([2, '']);
      expect(JSON.parse(err)).toEqual({
        error: { name: 'UsageError', message: expect.any(String) },
      });
    },
  );

  test('is 3 where no user is signed in, or not any more', async () => {
    expect((await laurel(createRecorder(folder), 'whoami')).code).toBe(3);
    answers['GET /service-api/user/me'] = [
      401,
      {
        errors: [{ message: 'the credential is not valid', extensions: { code: 'INVALID_TOKEN' } }],
      },
      { 'x-request-id': 'request 1' },
    ];
    answers['GET /service-api/workspaces'] = answers['GET /service-api/user/me'];
    const { code, err } = await laurel(signedIn(), 'whoami');
    expect(code).toBe(3);
    expect(err).toContain('request 1');
    expect(err).toContain('the token in LAUREL_TOKEN');
    createProfiles(folder).put('default', { url: url(), token: 'another' });
    const kept = await laurel(signedIn({ env: { LAUREL_TOKEN: '' } }), 'whoami');
    expect([kept.code, kept.err]).toEqual([3, expect.stringContaining('laurel login')]);
  });

  test('is 4 where no answer comes, and says how to do it again without doing it twice', async () => {
    answers[`GET :ws/clients/${ANNA.id}`] = [200, { data: ANNA }];
    answers['POST :ws/loyalty/points/earn'] = null;
    const terminal = signedIn();
    const { code, err } = await laurel(
      terminal,
      'points',
      'earn',
      ANNA.id,
      '5',
      '--key',
      'late train',
    );
    expect(asked.at(-1)?.call).toBe('POST :ws/loyalty/points/earn');
    expect(code).toBe(4);
    expect(err).toContain('--key late train');
    expect(err).toContain(`points.earn at ${url()}: `);
  });

  test('is 1 where the platform cannot answer now, and says how to do it again; programs hear the key, too', async () => {
    answers[`GET :ws/clients/${ANNA.id}`] = [200, { data: ANNA }];
    const unavailable = { errors: [{ message: 'not now', extensions: { code: 'CONFLICT' } }] };
    answers['POST :ws/loyalty/points/earn'] = [409, unavailable, { 'retry-after': '3600' }];
    const earn = ['points', 'earn', ANNA.id, '5'];
    const { code, err } = await laurel(signedIn(), ...earn, '--key', 'late train');
    expect([code, err]).toEqual([1, expect.stringContaining('--key late train')]);
    for (const answer of [answers['POST :ws/loyalty/points/earn'], null]) {
      answers['POST :ws/loyalty/points/earn'] = answer;
      const told = await laurel(signedIn(), ...earn, '--json');
      const { idempotency_key } = JSON.parse(told.err).error;
      expect(idempotency_key).toBe(asked.at(-1)!.headers['idempotency-key']);
    }
  });

  test('is 1 where the platform says no, and tells field and reason; as data with --json', async () => {
    answers[`GET :ws/clients/${ANNA.id}`] = [200, { data: ANNA }];
    const extensions = { code: 'INVALID_PAYLOAD', field: 'amount', reason: 'insufficient_balance' };
    answers['POST :ws/loyalty/points/spend'] = [
      400,
      { errors: [{ message: 'too few points', extensions }] },
    ];
    const spend = ['points', 'spend', ANNA.id, '500'];
    const told = await laurel(signedIn(), ...spend);
    expect([told.code, told.err]).toEqual([
      1,
      '✗ too few points (field amount, insufficient_balance)\n',
    ]);
    const { err } = await laurel(signedIn(), ...spend, '--json');
    expect(JSON.parse(err).error.problems[0]).toMatchObject(extensions);
  });
});

describe('a member', () => {
  beforeEach(() => {
    const other = {
      ...ANNA,
      id: '3f2504e0-4f89-41d3-9a0c-0305e82c3303',
      email: 'joanna@example.com',
      phone: null,
    };
    const whole = (who: string) => `GET :ws/clients/search?q=${who}&limit=1000`;
    answers[whole('anna%40example.com')] = [200, { data: [other, ANNA] }];
    answers[whole('nna%40example.com')] = [200, { data: [ANNA] }];
    answers[whole('%2B48501234567')] = [200, { data: [ANNA] }];
    answers[whole('%2B4850123456')] = [200, { data: [ANNA] }];
    answers['GET :ws/clients/search?q=ann'] = [200, { data: [ANNA, other] }];
    answers['GET :ws/clients/search?q=bob'] = [200, { data: [] }];
    const entry = { id: 'entry 1', amount: 50, balance_after: 62.5 };
    answers['POST :ws/loyalty/points/earn'] = [201, { data: entry }];
  });

  test.each(['anna@example.com', '+48501234567'])('is known by %s', async (who) => {
    const { code, out } = await laurel(
      signedIn(),
      'points',
      'earn',
      who,
      '50',
      '--why',
      'Late train',
    );
    expect(code).toBe(0);
    expect(out).toContain('✓ Anna: +50, now 62.5');
    const { body, headers } = asked.at(-1)!;
    expect(JSON.parse(body)).toEqual({ client_id: ANNA.id, amount: 50, description: 'Late train' });
    expect(out).toContain(String(headers['idempotency-key']));
  });

  test.each(['nna@example.com', '+4850123456'])(
    'is not known by %s, which is a part of what another one has',
    async (who) => {
      const { code, err } = await laurel(signedIn(), 'points', 'earn', who, '50');
      expect([code, err]).toEqual([1, `✗ no member is called ${who}\n`]);
      expect(asked.some(({ call }) => call.startsWith('POST'))).toBe(false);
    },
  );

  test('is asked for again where several fit, or none', async () => {
    const several = await laurel(signedIn(), 'points', 'earn', 'ann', '50');
    expect([several.code, several.err]).toEqual([2, expect.stringContaining(ANNA.id)]);
    expect((await laurel(signedIn(), 'points', 'earn', 'bob', '50')).code).toBe(1);
    expect(asked.some(({ call }) => call.startsWith('POST'))).toBe(false);
  });
});

test('any operation is called by its name or by its path', async () => {
  answers['GET :ws/clients?limit=1'] = [200, { data: [ANNA], meta: { limit: 1 } }];
  const byName = await laurel(signedIn(), 'api', 'clients.list', '--query', 'limit=1');
  expect(JSON.parse(byName.out)).toEqual({ data: [ANNA], meta: { limit: 1 } });
  const byPath = await laurel(signedIn(), 'api', 'GET', ':ws/clients?limit=1');
  expect(byPath.out).toBe(byName.out);
  answers[`PATCH :ws/clients/${ANNA.id}`] = [200, { data: ANNA }];
  await laurel(signedIn(), 'api', 'clients.update', ANNA.id, '--field', 'status=inactive');
  expect(asked.at(-1)!.body).toBe('{"status":"inactive"}');
  expect((await laurel(signedIn(), 'api', 'clients.list', '--data', '{}')).code).toBe(2);
});

describe('what is addressed by its path', () => {
  const EARN = 'POST :ws/loyalty/points/earn';
  const api = (call: string, ...more: string[]) =>
    laurel(signedIn(), 'api', ...call.split(' '), ...more);
  const keys = () => asked.map(({ headers }) => headers['idempotency-key']);

  test.each([
    ['POST :ws/webhooks', 1],
    [`POST :ws/webhooks/${ANNA.id}/rotate-secret`, 1],
    ['POST :ws/of-tomorrow', 1],
    ['PATCH :ws/of-tomorrow', 1],
    [EARN, 3],
    [`PATCH :ws/clients/${ANNA.id}`, 3],
    ['GET :ws/clients', 3],
  ])('is repeated only where that does no harm: %s is tried %d times', async (call, times) => {
    answers[call] = null;
    const { code, err } = await api(call);
    expect([code, asked.length]).toEqual([4, times]);
    expect(err).toContain(`${call} at ${url()}`);
    const isUnderKey = call === EARN;
    expect(new Set(keys()).size).toBe(1);
    expect([typeof keys()[0] === 'string', err.includes('--key')]).toEqual([
      isUnderKey,
      isUnderKey,
    ]);
  });

  test.each(['POST :ws/webhooks', 'GET :ws/clients', 'webhooks.create'])(
    'or by its name refuses a key that it does not heed, as a repeat would look harmless: %s',
    async (call) => {
      const { code, err } = await api(call, '--key', 'once');
      expect([code, err]).toEqual([2, `✗ ${call} takes no Idempotency-Key\n`]);
      expect(asked).toEqual([]);
    },
  );

  test('and is not known yet gets the key that is said, and is not repeated by that', async () => {
    answers['POST :ws/of-tomorrow'] = null;
    const { err } = await api('POST :ws/of-tomorrow', '--key', 'once');
    expect([keys(), err.includes('--key')]).toEqual([['once'], false]);
  });

  test('says the key where its answer breaks off: it may have been done', async () => {
    answers[EARN] = [201, { data: {} }, { 'content-length': '100' }];
    const { code, err } = await api(EARN, '--field', 'amount=1');
    expect([code, keys()]).toEqual([4, [expect.stringMatching(/^laurel-/)]]);
    expect(err).toContain(`${EARN}: the answer broke off`);
    expect(err).toContain(`again with --key ${keys()[0]}`);
  });

  test('takes a body in UTF-8, with a mark or without, and none that would lose letters', async () => {
    const call = `PATCH :ws/clients/${ANNA.id}`;
    answers[call] = [200, { data: ANNA }];
    const send = (input: Buffer<ArrayBuffer>) =>
      laurel(signedIn({ input }), 'api', ...call.split(' '), '--data', '-');
    expect((await send(Buffer.from('\uFEFF{"first_name":"Jörg"}'))).code).toBe(0);
    expect(JSON.parse(asked[0]!.body)).toEqual({ first_name: 'Jörg' });
    const { code, err } = await send(Buffer.from('{"first_name":"J\xf6rg"}', 'latin1'));
    expect([code, err]).toEqual([2, '✗ standard input is not in UTF-8\n']);
    expect(asked).toHaveLength(1);
  });
});

test('a token of one platform is not shown to another', async () => {
  answers['GET /service-api/user/me'] = [200, { data: { email: 'anna@example.com' } }];
  answers['GET /service-api/workspaces'] = [200, { data: [] }];
  const login = createRecorder(folder, { input: 'a token\n' });
  expect(await run(login, ['login', '--url', url(), '--token-stdin'])).toBe(0);
  const before = asked.length;
  expect(await run(createRecorder(folder), ['whoami'])).toBe(0);
  const elsewhere = createRecorder(folder, {
    env: { LAUREL_URL: url().replace('127.0.0.1', 'localhost') },
  });
  expect(await run(elsewhere, ['whoami'])).toBe(3);
  expect(asked.length).toBe(before + 2);
});

describe('a session that is over', () => {
  const kept = (name: string) => ({ url: url(), access_token: `old ${name}`, refresh_token: name });
  const whoami = () => run(terminal(), ['whoami', '--profile', 'staging']);
  const terminal = () => createRecorder(folder);
  let profiles: Profiles;
  beforeEach(() => {
    profiles = createProfiles(folder);
    profiles.put('staging', kept('staging'));
    profiles.put('shop', kept('shop'));
    for (const place of ['user/me', 'workspaces'])
      answers[`GET /service-api/${place}`] = [401, { errors: [] }];
  });

  test('goes on, and commands mean the profile that they meant before', async () => {
    answers['POST /auth/refresh'] = [200, { data: { access_token: 'new', refresh_token: 'next' } }];
    await whoami();
    expect(profiles.get('staging')).toMatchObject({ access_token: 'new', refresh_token: 'next' });
    expect(profiles.current()).toBe('shop');
    expect(asked.filter(({ call }) => call === 'POST /auth/refresh')).toHaveLength(1);
  });

  test('and cannot go on is said to be over: the exit code is 3', async () => {
    answers['POST /auth/refresh'] = [401, { errors: [] }];
    expect(await whoami()).toBe(3);
  });
});

test('what the platform tells is brought to this machine as a webhook, signed', async () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
  const event = {
    type: 'client.created',
    timestamp: '2026-01-31T10:00:00.000Z',
    data: { n: 1 },
    workspace_id: WORKSPACE,
  };
  const frames = `id: first\n\nid: behind\ndata: ${JSON.stringify({ id: 'event 1', ...event })}\n\n`;
  answers['GET :ws/events/stream?event_types=client.*'] = [
    200,
    frames,
    { 'content-type': 'text/event-stream' },
  ];
  // It asks again where the line ends, as often as it takes this test to see what came first.
  answers['GET :ws/events/stream?event_types=client.*&cursor=behind'] = [503, { errors: [] }];
  answers['POST /hooks'] = [204, ''];
  const ending = new AbortController();
  const terminal = signedIn({ interrupted: ending.signal });
  const forward = `${url()}/hooks`;
  const listening = run(terminal, [
    'listen',
    '--forward',
    forward,
    '--secret',
    secret,
    '--types',
    'client.*',
  ]);
  await until(() => terminal.said().out.includes('client.created'));
  ending.abort();
  expect(await listening).toBe(0);
  const { headers, body } = asked.find(({ call }) => call === 'POST /hooks')!;
  expect(await verifyWebhook(body, headers as Record<string, string>, secret)).toEqual(event);
  expect(headers['webhook-id']).toBe('event 1');
  expect(terminal.said().out).toContain('✓ 204');
  expect(terminal.said().err).toContain('--cursor behind');
});
