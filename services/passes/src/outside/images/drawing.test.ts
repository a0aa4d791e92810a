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

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('one workspace draws one picture at a time, and holds up no other', async () => {
  const drawing = createDrawing();
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
  const drawing = createDrawing();
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
  const drawing = createDrawing(() => nowMs);
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
  const drawing = createDrawing();
  await expect(drawing('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await drawing('a', async () => 'drawn')).toBe('drawn');
});
