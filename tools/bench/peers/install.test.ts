import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installPeers, NODE, PEERS } from './install.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'peers-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** npm without a registry: the port is one that nothing may listen on. */
const offline = { ...process.env, npm_config_registry: 'http://127.0.0.1:1' };

test('where npm cannot be reached the bench says so in words, and the next run tries again', async () => {
  const env = { ...offline, npm_config_cache: path.join(folder, 'cache') };
  await expect(installPeers({ folder, env })).rejects.toThrow(
    /^Directus and medici come from npm, which cannot be reached from here: .*ECONNREFUSED/,
  );
  expect(existsSync(path.join(folder, 'installed'))).toBe(false);
});

test('what was installed in these versions is not asked for again', async () => {
  const node = `node-${process.platform}-${process.arch}`;
  const wanted = JSON.stringify({ ...PEERS, [node]: NODE });
  writeFileSync(path.join(folder, 'installed'), wanted);
  await expect(installPeers({ folder, env: offline })).resolves.toMatchObject({
    root: folder,
    node: path.join(folder, 'node_modules', node, 'bin/node'),
  });
});
