import { resealAll } from './reseal';
import { resealJob } from './reseal-job';
import { createVault, type Sealed, type Vault } from './vault';

const [A, B, C] = [1, 2, 3].map((fill) => Buffer.alloc(32, fill).toString('base64')) as [
  string,
  string,
  string,
];

interface Row {
  _id: string;
  sealed: Sealed;
}

function rowsOf(stored: Row[]) {
  return {
    underOtherKey: async (keyId: string, afterId: string, limit: number) =>
      stored
        .filter(({ _id, sealed }) => _id > afterId && sealed.key_id !== keyId)
        .sort((one, other) => (one._id < other._id ? -1 : 1))
        .slice(0, limit),
    reseal: async (row: Row, vault: Vault) => {
      row.sealed = vault.seal(vault.open(row.sealed, row._id), row._id);
    },
  };
}

const sealedBy = (key: string, ids: string[]): Row[] =>
  ids.map((_id) => ({ _id, sealed: createVault(key).seal(Buffer.from(_id), _id) }));
const ids = Array.from({ length: 250 }, (_, index) => String(index).padStart(4, '0'));

test('a rotation seals every row anew, however many pages, and once only', async () => {
  const stored = sealedBy(A, ids);
  const rotated = createVault(B, A);
  expect(await resealAll(rotated, rowsOf(stored))).toEqual({
    resealed: 250,
    unreadable: [],
  });
  const alone = createVault(B);
  for (const { _id, sealed } of stored) expect(alone.open(sealed, _id).toString()).toBe(_id);
  expect(await resealAll(rotated, rowsOf(stored))).toMatchObject({ resealed: 0 });
});

test('a row whose key is gone keeps no other row waiting, and is named', async () => {
  const stored = [...sealedBy(C, ids.slice(0, 120)), ...sealedBy(A, ids.slice(120))];
  const rotated = createVault(B, A);
  const { resealed, unreadable } = await resealAll(rotated, rowsOf(stored));
  expect(resealed).toBe(130);
  expect(unreadable).toEqual(ids.slice(0, 120));
});

test('a row that was damaged keeps no other row waiting, and is named', async () => {
  const stored = sealedBy(A, ids);
  const [damaged, moved, short] = [stored[3]!, stored[120]!, stored[200]!];
  damaged.sealed.text = damaged.sealed.text.replace(/^..../, 'AAAA');
  moved.sealed = { ...stored[4]!.sealed };
  short.sealed = { ...short.sealed, text: '' };
  const { resealed, unreadable } = await resealAll(createVault(B, A), rowsOf(stored));
  expect(resealed).toBe(247);
  expect(unreadable).toEqual([damaged, moved, short].map(({ _id }) => _id));
});

test('the log says when nothing needs the previous key any more, and when something needs one that is gone', async () => {
  const said: string[] = [];
  const note = (_what: object, message: string) => {
    said.push(message);
  };
  const work = async (vault: Vault, stored: Row[]) => {
    const logger = { info: note, error: note };
    await resealJob({ name: 'x', vault, rows: rowsOf(stored), logger }).work();
  };
  await work(createVault(B, A), sealedBy(A, ids));
  expect(said).toEqual(['x: sealed anew', 'x: nothing needs SECRETS_KEY_PREVIOUS any more']);
  said.length = 0;
  await work(createVault(B), sealedBy(A, ids));
  expect(said).toEqual([expect.stringContaining('a key that was taken away')]);
});
