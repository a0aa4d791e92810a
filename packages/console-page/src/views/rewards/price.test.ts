import type { WalletType } from '@laurel/client';
import { createLanguage } from '@laurel/page-kit/language';
import { createFormat } from '../../format/format';
import { en } from '../../words/en';
import { payerOf } from './payer-of';
import { isShown, priceOf, sayPrice } from './price';

const TYPES = ['beans', 'stars'].map((code, at) => ({
  id: code,
  name: code,
  is_default: at === 0,
})) as WalletType[];
const shop = {
  format: createFormat('en-GB', 'UTC', 'EUR'),
  language: createLanguage('en-GB', en),
} as never;

test('a reward costs what it says in its own currency, and nothing where none pays for it', () => {
  const said = (wallet_type_id: string | null, cost_in_points = 100) =>
    sayPrice(shop, { cost_in_points, wallet_type_id }, TYPES);
  expect(said('stars')).toBe('100 stars');
  expect(said('stars', 0)).toBe('free');
  expect(said(null)).toBe('free');
  expect(priceOf({ cost_in_points: 100 })).toBe(0);
});

test('customers see what a currency pays for, unless its owner does not want that', () => {
  expect(isShown({ wallet_type_id: 'stars' })).toBe(true);
  expect(isShown({ wallet_type_id: 'stars', purchasable: false })).toBe(false);
  expect(isShown({ wallet_type_id: null, purchasable: true })).toBe(false);
  expect(isShown({})).toBe(false);
});

test('what names no currency was paid in none: not in the one that the shop means else', () => {
  expect(payerOf({ wallet_type_id: null }, TYPES)).toBeUndefined();
  expect(payerOf({}, TYPES)).toBeUndefined();
  expect(payerOf({ wallet_type_id: 'stars' }, TYPES)?.id).toBe('stars');
});
