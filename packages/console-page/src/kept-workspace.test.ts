import { createKeptWorkspace } from './kept-workspace';

/** A place where a browser keeps something. */
function storeOf(): Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
  };
}

test('a tab stays at its workspace, whichever is chosen in another one; a new tab begins at that', () => {
  const browser = storeOf();
  const tab = () => {
    const own = storeOf();
    return createKeptWorkspace(() => [own, browser]);
  };
  const [first, second] = [tab(), tab()];
  expect(first.read()).toBeNull();
  first.open('north');
  second.choose('south');
  expect([first.read(), second.read(), tab().read()]).toEqual(['north', 'south', 'south']);
});

test('a browser that keeps nothing for pages is no trouble', () => {
  const kept = createKeptWorkspace(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  kept.open('north');
  kept.choose('north');
  expect(kept.read()).toBeNull();
});
