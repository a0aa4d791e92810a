import fc from 'fast-check';

test('a property test that names no seed draws the same examples in every run', () => {
  const draw = () => fc.sample(fc.nat(), 8);
  expect(draw()).toEqual(draw());
});
