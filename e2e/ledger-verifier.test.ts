import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@laurel/testing';
import { expectStatus, newClient, newWalletType, newWorkspace } from './support/factories';
import { oldestNode } from './support/oldest-node';

jest.setTimeout(300_000);

const PROGRAM = path.resolve(__dirname, '../packages/ledger-verifier/bin/laurel-verify.js');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-audit-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
}

/** The exit code and what was said. */
function verify(...parameters: string[]): [number | null, string] {
  const { status, stdout } = spawnSync(oldestNode, [PROGRAM, ...parameters], {
    encoding: 'utf8',
  });
  return [status, stdout];
}

test('what is exported over HTTP holds against the checkpoint, and nothing changed in it does', async () => {
  const workspace = await newWorkspace();
  await newWalletType(workspace);
  const [{ id: ada }, { id: bob }] = [await newClient(workspace), await newClient(workspace)];
  const points = async (operation: string, body: object) =>
    expectStatus(await workspace.post(`:ws/loyalty/points/${operation}`, body), 201).body.data;
  await points('earn', { client_id: ada, amount: 12.5, description: 'Breakfast' });
  await points('earn', { client_id: bob, amount: 3, pending_days: 2 });
  await points('spend', { client_id: ada, amount: 2.5 });
  const transfer = { from_client_id: ada, to_client_id: bob, amount: 4 };
  const { transfer_in: last } = await points('transfer', transfer);

  const checkpoint = await until(
    async () => {
      const { body } = await workspace.get(':ws/loyalty/checkpoints', { limit: 1 });
      const [newest] = body.data;
      return newest && newest.at >= last.created_at ? newest : null;
    },
    { withinMs: 240_000, everyMs: 1_000, what: 'a checkpoint over all of it' },
  );
  const byId = await workspace.get(`:ws/loyalty/checkpoints/${checkpoint.id}`);
  const signed = file('checkpoint.json', expectStatus(byId, 200).text);
  const key = file('key.pem', checkpoint.public_key);
  const exported = await workspace.get(':ws/loyalty/points/ledger/export');
  const lines = expectStatus(exported, 200).text.trimEnd().split('\n');

  const [code, told] = verify(file('export.ndjson', exported.text), signed, '--key', key);
  expect([code, told]).toEqual([0, expect.stringContaining('✓ 5 entries of 2 wallets')]);
  const altered = exported.text.replace('"earned":125000', '"earned":925000');
  for (const tampered of [altered, lines.slice(0, -1).join('\n'), lines.toReversed().join('\n')]) {
    expect(tampered).not.toBe(exported.text);
    expect(verify(file('tampered.ndjson', tampered), signed)[0]).toBe(1);
  }
  const forged = JSON.stringify({ ...checkpoint, wallets: 3 });
  expect(verify(file('export.ndjson', exported.text), file('forged.json', forged))[0]).toBe(1);
});
