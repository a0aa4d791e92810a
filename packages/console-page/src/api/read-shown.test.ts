import { LaurelError } from '@laurel/client';
import { readShown } from './read-shown';

/** A workspace with so many things, of which a page at a time is given. */
function workspaceOf(count: number) {
  const rows = Array.from({ length: count }, (_, at) => ({ id: `${at}` }));
  const asked: string[] = [];
  const problem = { problems: [], requestId: undefined, retryAfterSeconds: undefined };
  return {
    asked,
    list: async ({ limit }: { limit: number }) => {
      asked.push('list');
      return { data: rows.slice(0, limit) };
    },
    get: async (id: string) => {
      asked.push(id);
      const found = rows.find((row) => row.id === id);
      if (!found) throw new LaurelError({ status: 404, ...problem });
      return found;
    },
  };
}
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

test('of a long list only its beginning is read, and what is shown of the rest', async () => {
  const all = workspaceOf(10_000);
  const found = idsOf(await readShown(['3', '9999', '9999', '5000'], all));
  expect(found.slice(-2)).toEqual(['9999', '5000']);
  expect(found).toContain('3');
  expect(all.asked).toEqual(['list', '9999', '5000']);
});

test('what is there no more is left out, and is not asked for where the whole list says so', async () => {
  const many = workspaceOf(10_000);
  expect(idsOf(await readShown(['gone', '200'], many)).slice(-1)).toEqual(['200']);
  const few = workspaceOf(3);
  expect(idsOf(await readShown(['gone', '1'], few))).toEqual(['0', '1', '2']);
  expect(few.asked).toEqual(['list']);
});

test('nothing is asked for where nothing is shown, and a failure is none that is not there', async () => {
  const { asked, ...all } = workspaceOf(10_000);
  expect(await readShown([], all)).toEqual([]);
  expect(asked).toEqual([]);
  const get = async () => {
    throw new Error('no');
  };
  await expect(readShown(['200'], { ...all, get })).rejects.toThrow('no');
});
