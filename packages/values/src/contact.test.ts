import { emailKeyOf } from './contact';

test.each([null, undefined, '', '  '])('%p is no address', (nothing) => {
  expect(emailKeyOf(nothing)).toBeNull();
});
