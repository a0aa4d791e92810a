import { workInTurn } from './in-turn';

const page = ['a', 'b', 'c'];

async function worked(full: number, isFaulty: (row: string) => boolean) {
  const seen: string[] = [];
  const outcome = await workInTurn(page, full, async (row) => {
    seen.push(row);
    if (isFaulty(row)) throw new Error(row);
  }).catch((error: AggregateError) => ({
    message: error.message,
    of: error.errors.map(({ message }) => message),
  }));
  return { seen, outcome };
}

test('each has its turn though one before it failed, and the page rejects with what failed', async () => {
  expect(await worked(4, (row) => row === 'a')).toEqual({
    seen: page,
    outcome: { message: '1 of 3 could not be worked on', of: ['a'] },
  });
});

test('a full page says that there may be more, also where some of it failed: it comes up again', async () => {
  expect(await worked(3, () => false)).toEqual({ seen: page, outcome: { more: true } });
  expect(await worked(3, (row) => row === 'b')).toEqual({ seen: page, outcome: { more: true } });
});

test('a page of which nothing came asks for no other at once', async () => {
  expect((await worked(3, () => true)).outcome).toMatchObject({ of: page });
});

test('a page that is not full is the last', async () => {
  expect((await worked(4, () => false)).outcome).toEqual({ more: false });
});
