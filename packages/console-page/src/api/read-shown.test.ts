import { LaurelError } from '@laurel/client';
import { readShown } from './read-shown';

const idOf = (at: number) => `0198f3a0-0000-7000-8000-${`${at}`.padStart(12, '0')}`;

/** A workspace with so many things, of which a page at a time is given. */
function workspaceOf(count: number) {
  const rows = Array.from({ length: count }, (_, at) => ({ id: idOf(at) }));
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
  const [first, second, third] = [idOf(3), idOf(9999), idOf(5000)];
  const found = idsOf(await readShown([first, second, second, third], all));
  expect(found.slice(-2)).toEqual([second, third]);
  expect(found).toContain(first);
  expect(all.asked).toEqual(['list', second, third]);
});

test('what is there no more is left out, and is not asked for where the whole list says so', async () => {
  const many = workspaceOf(10_000);
  const gone = idOf(10_000);
  expect(idsOf(await readShown([gone, idOf(200)], many)).slice(-1)).toEqual([idOf(200)]);
  const few = workspaceOf(3);
  expect(idsOf(await readShown([gone, idOf(1)], few))).toEqual([0, 1, 2].map(idOf));
  expect(few.asked).toEqual(['list']);
});

test('what is no id is not looked for, and takes nothing from those that are', async () => {
  const many = workspaceOf(10_000);
  const found = idsOf(await readShown(['FREE-COFFEE', '', idOf(200)], many));
  expect(found.slice(-1)).toEqual([idOf(200)]);
  expect(many.asked).toEqual(['list', idOf(200)]);
});

test('nothing is asked for where nothing is shown, and a failure is none that is not there', async () => {
  const { asked, ...all } = workspaceOf(10_000);
  expect(await readShown([], all)).toEqual([]);
  expect(asked).toEqual([]);
  const get = async () => {
    throw new Error('no');
  };
  await expect(readShown([idOf(200)], { ...all, get })).rejects.toThrow('no');
});
