import { takeLinkToken } from './link-token.ts';

const at = (address: string) => {
  const { pathname, search, hash } = new URL(address, 'https://shop.example');
  const history = { replaceState: jest.fn() };
  const token = takeLinkToken({ pathname, search, hash }, history);
  return { token, left: history.replaceState.mock.calls.at(-1)?.[2] ?? null };
};

describe('the token of a link', () => {
  test.each([
    ['/portal/cafe?token=abc', 'abc', '/portal/cafe'],
    ['/portal/cafe#token=abc', 'abc', '/portal/cafe'],
    ['/portal/cafe?token=abc&utm_source=pass', 'abc', '/portal/cafe?utm_source=pass'],
    ['/portal/cafe?token=abc#/rewards', 'abc', '/portal/cafe#/rewards'],
  ])('is taken out of %s at once', (address, token, left) => {
    expect(at(address)).toEqual({ token, left });
  });

  test.each(['/portal/cafe', '/portal/cafe?utm_source=pass#/rewards'])(
    'is not looked for where there is none: %s stays as it is',
    (address) => {
      expect(at(address)).toEqual({ token: null, left: null });
    },
  );

  test('that is empty is none, and goes too', () => {
    expect(at('/portal/cafe?token=')).toEqual({ token: null, left: '/portal/cafe' });
  });
});
