import type { Attention } from '@laurel/client';
import { placeOf } from './overview';

test('a certificate that ends soon is led to where the next one is entered', () => {
  const need: Attention = {
    kind: 'certificate_expiring',
    severity: 'warning',
    count: 12,
    since: '2030-01-01T00:00:00.000Z',
    subject: { type: 'wallet_credentials', id: 'apple', name: 'pass.com.example.card' },
  };
  expect(placeOf(need)).toBe('/settings?tab=wallets');
});

test('an import that failed is led to where its lines are listed', () => {
  const id = '0198f3a0-0000-7000-8000-9e1c433f1f43';
  const need: Attention = {
    kind: 'import_failed',
    severity: 'error',
    count: 0,
    since: '2030-01-01T00:00:00.000Z',
    subject: { type: 'client_import', id, name: 'csv' },
  };
  expect(placeOf(need)).toBe(`/customers?import=${id}`);
});
