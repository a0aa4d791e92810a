import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@laurel/testing';
import { buildSync } from 'esbuild';

const WORKSPACE = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

let folder: string;
let program: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-cli-main-'));
  program = path.join(folder, 'laurel.cjs');
  const entryPoints = [path.join(__dirname, 'main.ts')];
  buildSync({ entryPoints, outfile: program, bundle: true, format: 'cjs', platform: 'node' });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What the platform is asked, and what it answers to a call; null is no answer, and nothing said an empty list. */
let asked: { call: string; bytes: Buffer }[];
let answers: Record<string, object | Promise<object> | null>;
let server: Server;
beforeEach(async () => {
  asked = [];
  answers = {};
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const call = `${request.method} ${request.url!.replace(`/service-api/workspace/${WORKSPACE}`, ':ws')}`;
    asked.push({ call, bytes: Buffer.concat(pieces) });
    const answer = call in answers ? await answers[call] : { data: [] };
    if (answer === null) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const isAsked = (wanted: string) => () => asked.some(({ call }) => call === wanted);

interface Running {
  child: ChildProcess;
  said: { out: string; err: string };
  ended: Promise<number | null>;
}

/** Runs the program at work in a workspace of that platform. */
function start(...parameters: string[]): Running {
  const { port } = server.address() as AddressInfo;
  const env = {
    LAUREL_CONFIG: folder,
    LAUREL_URL: `http://127.0.0.1:${port}`,
    LAUREL_TOKEN: 'a token',
    LAUREL_WORKSPACE: WORKSPACE,
  };
  const child = spawn(process.execPath, [program, ...parameters], { env });
  const said = { out: '', err: '' };
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const)
    stream.setEncoding('utf8').on('data', (piece) => {
      said[name] += piece;
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, said, ended };
}

test('what cannot be written because the disk is full is no success', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [program, '--help'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect([status, stderr]).toEqual([1, expect.stringContaining('standard output')]);
});

test('who reads no further than the first line ends it, and that is a success', () => {
  const line = `"${process.execPath}" "${program}" --help | true; exit "\${PIPESTATUS[0]}"`;
  expect(spawnSync('bash', ['-c', line]).status).toBe(0);
});

test('what is piped in arrives whole, though a letter of it comes in two pieces', async () => {
  const call = 'PUT :ws/brand';
  const { child, ended } = start('api', ...call.split(' '), '--data', '-');
  // Pieces have an even length, and each letter of two bytes begins at an odd place.
  const bytes = Buffer.from(JSON.stringify({ name: 'ä'.repeat(200_000) }));
  child.stdin!.end(bytes);
  expect(await ended).toBe(0);
  expect(asked.find((one) => one.call === call)!.bytes).toEqual(bytes);
});

describe('secrets that are shown once', () => {
  let files: string;
  beforeEach(() => {
    files = mkdtempSync(path.join(folder, 'files-'));
    answers['POST :ws/webhooks'] = { data: { id: 'w' }, secret: 'whsec_x' };
    const crm = '{ url: "https://crm.example.com/", event_types: ["*"] }';
    writeFileSync(path.join(files, 'webhooks.yaml'), `webhooks: { crm: ${crm} }\n`);
  });
  const apply = (...options: string[]) => start('programme', 'apply', files, ...options);

  /** Ends an apply by signals while it waits for an answer to what comes after the webhook. */
  async function endedBy(signals: readonly NodeJS.Signals[], ...options: string[]) {
    writeFileSync(path.join(files, 'rules.yaml'), 'rules: { earn: { name: Earn } }\n');
    answers['POST :ws/automations'] = null;
    const { child, said, ended } = apply(...options);
    await until(isAsked('POST :ws/automations'));
    for (const signal of signals) child.kill(signal);
    return { code: await ended, ...said };
  }
  const INSISTING = ['SIGINT', 'SIGTERM'] as const;

  test('are given out at once: a program that is killed has said them', async () => {
    const { out } = await endedBy(['SIGKILL']);
    expect(out).toContain('secret of webhook crm, shown this once: whsec_x');
  });

  test('are given out by an apply whose end somebody insists on, with how far it came', async () => {
    const { code, out } = await endedBy(INSISTING);
    expect(code).toBe(130);
    expect(out).toContain('✗ 1 of 2 done\n  stopped at rule earn of rules.yaml\n');
    expect(out).toContain('secret of webhook crm, shown this once: whsec_x');
  });

  test('are given out as JSON where that was asked for', async () => {
    const { code, out } = await endedBy(INSISTING, '--json');
    expect(code).toBe(130);
    expect(JSON.parse(out)).toMatchObject({ done: [{ key: 'crm', secret: 'whsec_x' }], left: 1 });
  });

  /** Closes the standard output of a program that waits for an answer, and answers then. */
  async function unheard({ child, said, ended }: Running, call: string, answer: object) {
    let reply = (_answer: object): void => undefined;
    answers[call] = new Promise<object>((resolve) => {
      reply = resolve;
    });
    await until(isAsked(call));
    child.stdout!.destroy();
    reply(answer);
    return { code: await ended, err: said.err };
  }

  test('stand on standard error where standard output is closed by then, which is no success', async () => {
    const call = 'POST :ws/webhooks';
    const { code, err } = await unheard(apply(), call, answers[call] as object);
    expect(code).toBe(1);
    expect(err).toContain('secret of webhook crm, shown this once: whsec_x');
  });

  test('are no success where they are all that was to be written, and what they went to is gone', async () => {
    const create = start('tokens', 'create', 'CI', '--scope', 'configure');
    const token = { data: { token: 'laurel_x' } };
    const { code, err } = await unheard(create, 'POST /service-api/user/api-tokens', token);
    expect([code, err]).toEqual([1, expect.stringContaining('✗ standard output: ')]);
  });
});
