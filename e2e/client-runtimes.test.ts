import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from '@laurel/testing';
import { gateways } from './support/api';
import { expectStatus, newClient, newWalletType, newWorkspace } from './support/factories';
import { installPacked } from './support/packed';
import { openReceiver, type Receiver } from './support/receiver';

jest.setTimeout(300_000);

/** Each as npm brings it (optional dependencies of e2e), and how it runs the smoke. */
const RUNTIMES: readonly [name: string, program: string, ...parameters: string[]][] = [
  ['Node 20', 'node-20/bin/node', 'main.mjs'],
  ['Node 22', 'node-22/bin/node', 'main.mjs'],
  ['Node 24', 'node-24/bin/node', 'main.mjs'],
  ['Deno', '@deno/linux-x64-glibc/deno', 'run', '--allow-net', '--cached-only', 'main.mjs'],
  ['Bun', '@oven/bun-linux-x64/bin/bun', 'run', '--no-install', 'main.mjs'],
  ['workerd', '@cloudflare/workerd-linux-64/bin/workerd', 'test', 'worker.capnp'],
];
const isBrought = process.platform === 'linux' && process.arch === 'x64';
const testHere = isBrought ? test : test.skip;

let folder: string;
let project: string;
let receiver: Receiver;
/** What the smoke gets; each runtime has a key of its own besides. */
let given: object;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-runtimes-'));
  ({ project } = installPacked(path.resolve(__dirname, '../packages/client'), folder));
  cpSync(path.join(__dirname, 'smoke'), project, { recursive: true });
  const workspace = await newWorkspace();
  await newWalletType(workspace, { is_default: true });
  const { id: client_id } = await newClient(workspace);
  receiver = await openReceiver();
  const hook = { url: receiver.url, event_types: ['client.created'] };
  const { secret } = expectStatus(await workspace.post(':ws/webhooks', hook), 201).body;
  receiver.trust(secret);
  await newClient(workspace);
  await until(() => receiver.latest() !== undefined);
  const delivery = { ...receiver.latest(), secret };
  const { token, workspaceId } = workspace;
  given = { baseUrl: gateways()[0], token, workspace: workspaceId, client_id, delivery };
});
afterAll(() => {
  receiver.close();
  rmSync(folder, { recursive: true });
});

testHere.each(RUNTIMES)(
  'the packed client lists, earns once under a key, names a refusal and takes no forged webhook on %s',
  async (name, program, ...parameters) => {
    const file = path.join(__dirname, 'node_modules', program);
    if (!existsSync(file)) throw new Error(`npm brought no ${name}: ${file} is missing`);
    const own = { ...given, idempotencyKey: `smoke on ${name}` };
    writeFileSync(path.join(project, 'given.mjs'), `export const given = ${JSON.stringify(own)};`);
    const options = { cwd: project, env: { HOME: folder } };
    const { stdout } = await promisify(execFile)(file, parameters, options);
    expect(JSON.parse(stdout)).toEqual({
      members: 2,
      entries: 1,
      reason: 'insufficient_balance',
      event: 'client.created',
      forged: expect.stringContaining('signature'),
    });
  },
);
