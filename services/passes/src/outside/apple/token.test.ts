import { createPassTokens } from './token';

const [key, former] = [Buffer.from('a key'), Buffer.from('the key before')];
const tokens = createPassTokens([key, former]);
const pass = { id: 'p', link_generation: 0 };

test('a pass is called for with its own token, by a key of now or before, until its links are made anew', () => {
  const right = tokens.tokenOf(pass);
  expect(tokens.isTokenOf(pass, right)).toBe(true);
  expect(tokens.isTokenOf(pass, createPassTokens([former]).tokenOf(pass))).toBe(true);
  expect(tokens.isTokenOf(pass, createPassTokens([Buffer.from('x')]).tokenOf(pass))).toBe(false);
  expect(tokens.isTokenOf({ ...pass, id: 'q' }, right)).toBe(false);
  expect(tokens.isTokenOf({ ...pass, link_generation: 1 }, right)).toBe(false);
});

test('a token is the text that pass.json has, and nothing that decodes to the same', () => {
  const right = tokens.tokenOf(pass);
  for (const other of [`,${right}`, `${right}=`, `${right.slice(0, 9)}.${right.slice(9)}`, ''])
    expect(tokens.isTokenOf(pass, other)).toBe(false);
});
