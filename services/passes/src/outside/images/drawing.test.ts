import { randomUUID } from 'node:crypto';
import { createDrawing } from './drawing';

/** Work that goes on until it is let go. */
function held() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    end: (name: string) => ends.get(name)!(),
    work: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
  };
}

/** Draws without a file; each picture is another one where it is not said which. */
function newDrawing(now?: () => number) {
  const drawing = createDrawing<void, string>(now);
  return (workspaceId: string, draw: () => Promise<string>, key: string = randomUUID()) =>
    drawing({ workspaceId, key, open: async () => undefined, draw });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('one workspace draws one picture at a time, and holds up no other', async () => {
  const drawing = newDrawing();
  const { begun, end, work } = held();
  const first = drawing('a', work('a1'));
  const second = drawing('a', work('a2'));
  const other = drawing('b', work('b1'));
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
  end('a1');
  await first;
  await settled();
  expect(begun).toEqual(['a1', 'b1', 'a2']);
  end('a2');
  end('b1');
  expect(await Promise.all([second, other])).toEqual(['a2', 'b1']);
});

test('of one workspace no more wait than have a chance, and the next come in again afterwards', async () => {
  const drawing = newDrawing();
  const { end, work } = held();
  const first = drawing('a', work('a'));
  const waiting = Array.from({ length: 60 }, () => drawing('a', async () => 'drawn'));
  await expect(drawing('a', async () => 'drawn')).rejects.toMatchObject({
    httpStatus: 503,
    retryAfterSeconds: 2,
  });
  const other = drawing('b', async () => 'drawn');
  expect(await other).toBe('drawn');
  end('a');
  await first;
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['drawn']));
  expect(await drawing('a', async () => 'drawn')).toBe('drawn');
});

test('nothing is drawn for a caller who has waited too long', async () => {
  let nowMs = 0;
  const drawing = newDrawing(() => nowMs);
  const { begun, end, work } = held();
  const first = drawing('a', work('a1'));
  const late = drawing('a', work('a2'));
  await settled();
  nowMs = 5_001;
  end('a1');
  await first;
  await expect(late).rejects.toMatchObject({ httpStatus: 503 });
  expect(begun).toEqual(['a1']);
});

test('a picture that cannot be drawn leaves its place to the next', async () => {
  const drawing = newDrawing();
  await expect(drawing('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await drawing('a', async () => 'drawn')).toBe('drawn');
});

test('all who ask for the same pictures get them, each drawn once, however many ask', async () => {
  const drawing = newDrawing();
  const { begun, end, work } = held();
  const keys = ['k1', 'k2', 'k3', 'k4', 'k5'];
  const asked = Array.from({ length: 100 }, (_, at) => keys[at % 5]!);
  const all = asked.map((key) => drawing('a', work(key), key));
  for (const key of keys) {
    await settled();
    end(key);
  }
  expect(await Promise.all(all)).toEqual(asked);
  expect(begun).toEqual(keys);
});

test('what fails for one who asks fails for all who ask by then, and is drawn for the next', async () => {
  const drawing = newDrawing();
  const broken = () => Promise.reject(new Error('broken'));
  const asked = [drawing('a', broken, 'k'), drawing('a', async () => 'drawn', 'k')];
  expect(await Promise.allSettled(asked)).toMatchObject(Array(2).fill({ status: 'rejected' }));
  expect(await drawing('a', async () => 'drawn', 'k')).toBe('drawn');
});

test('a picture is drawn for whom it was asked for lately, however long others have waited for it', async () => {
  let nowMs = 0;
  const drawing = newDrawing(() => nowMs);
  const { end, work } = held();
  const first = drawing('a', work('a1'));
  const early = drawing('a', async () => 'drawn', 'k');
  await settled();
  nowMs = 4_000;
  const late = drawing('a', async () => 'drawn', 'k');
  nowMs = 6_000;
  end('a1');
  expect(await Promise.all([first, early, late])).toEqual(['a1', 'drawn', 'drawn']);
});

test('a workspace whose files take long to be read keeps no other from drawing, and four are in memory at most', async () => {
  const drawing = createDrawing<string, string>();
  const files = held();
  const draws = held();
  const ask = (name: string) =>
    drawing({ workspaceId: name, key: 'k', open: files.work(name), draw: draws.work(name) });
  const all = ['a', 'b', 'c', 'd', 'e'].map(ask);
  await settled();
  expect(files.begun).toEqual(['a', 'b', 'c', 'd']);
  files.end('c');
  files.end('d');
  await settled();
  expect(draws.begun).toEqual(['c', 'd']);
  draws.end('c');
  await settled();
  expect(files.begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  for (const name of ['a', 'b', 'e']) {
    files.end(name);
    await settled();
  }
  for (const name of ['d', 'a', 'b', 'e']) {
    draws.end(name);
    await settled();
  }
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e']);
});
