import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newId } from '@laurel/lifecycle';
import { connectStore } from '@laurel/mongo';
import { testServers } from '@laurel/testing';
import { saveDatabases } from './save';

test('a backup without the database of a service is none, and leaves nothing that could be taken for one', async () => {
  const uri = testServers().mongodbUri;
  const prefix = `test_${newId().replaceAll('-', '').slice(-20)}_`;
  const base = mkdtempSync(path.join(tmpdir(), 'laurel-save-'));
  const folder = path.join(base, 'backup');
  const store = await connectStore({ uri, database: `${prefix}ledger`, poolSize: 2 });
  try {
    await store.collection('entries').insertOne({ n: 1 });
    const save = (services: readonly string[]) => saveDatabases({ uri, prefix }, services, folder);
    await expect(save(['clients', 'ledger'])).rejects.toThrow(
      `nothing was saved: there is no ${prefix}clients, or`,
    );
    expect(existsSync(folder)).toBe(false);
    expect(await save(['ledger'])).toMatchObject({ databases: 1, documents: 1 });
    expect(existsSync(folder)).toBe(true);
  } finally {
    await store.db?.dropDatabase();
    await store.close();
    rmSync(base, { recursive: true });
  }
});
