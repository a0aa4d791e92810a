import { googleObjectId, isFormerObject, partsOfObjectId } from './google-object-id';

const ISSUER = '3388000000012345678';
const ID = '01990000-0000-7000-8000-00000000000d';

test('an object of Google leads back to its issuer and its pass, whatever its generation', () => {
  for (const pass of [{ id: ID }, { id: ID, link_generation: 0 }, { id: ID, link_generation: 3 }])
    expect(partsOfObjectId(googleObjectId(ISSUER, pass))).toEqual({ issuerId: ISSUER, passId: ID });
});

test('with its links made anew a pass is another object, and the one before is a former one', () => {
  const [first, second] = [0, 1].map((link_generation) => ({ id: ID, link_generation }));
  expect(googleObjectId(ISSUER, first!)).toBe(`${ISSUER}.${ID}`);
  expect(googleObjectId(ISSUER, second!)).toBe(`${ISSUER}.${ID}_1`);
  expect(isFormerObject(googleObjectId(ISSUER, first!), second!)).toBe(true);
  expect(isFormerObject(googleObjectId(ISSUER, second!), second!)).toBe(false);
  expect(isFormerObject(googleObjectId(ISSUER, first!), { id: ID })).toBe(false);
});

test('what is no name of an object names no pass', () => {
  expect(partsOfObjectId('')).toEqual({ issuerId: '', passId: '' });
  expect(partsOfObjectId('33')).toEqual({ issuerId: '33', passId: '' });
});
