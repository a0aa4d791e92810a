import { offeredWallets } from './offered';

const ready = { ready: true };
const unready = { ready: false };

test.each([
  ['https://cards.example.com', unready, ready, { apple: false, google: true }],
  ['https://cards.example.com', unready, unready, { apple: false, google: false }],
  ['https://localhost.example.com', unready, unready, { apple: false, google: false }],
  ['http://localhost:8080', unready, unready, { apple: true, google: true }],
  ['http://127.0.0.1:8080', unready, unready, { apple: true, google: true }],
  ['http://[::1]:8080', unready, unready, { apple: true, google: true }],
])(
  'people at %s are offered the wallets that work, on one machine all',
  (url, apple, google, is) => {
    expect(offeredWallets({ apple, google }, url)).toEqual(is);
  },
);
