import type { clients } from '@laurel/rpc';
import { mayBeFoundBy } from './found-by';

const ann = {
  first_name: 'Ann',
  last_name: 'Żak',
  email: 'ann.zak@mail.example',
  phone: '+48 501 234 567',
} as clients.Client;
const found = (hidden: string[] | null, text: string) => mayBeFoundBy(hidden, ann, text);

test.each([
  [null, 'zak@'],
  [['vat'], '234'],
  [['email'], 'zak'],
  [['email'], '501 234'],
  [['phone', 'custom_fields.email'], 'ann za'],
])('who hides %j still finds by a part of what is seen: %s', (hidden, text) => {
  expect(found(hidden, text)).toBe(true);
});

test.each([
  [['email'], 'ann.z'],
  [['email'], 'mail.example'],
  [['phone'], '501234'],
  [['phone'], '+48'],
  [['last_name', 'email'], 'zak'.slice(0, 2)],
])('what %j hides is not found by a part of it: %s', (hidden, text) => {
  expect(found(hidden, text)).toBe(false);
});

test.each([
  [['email'], ' ANN.zak@mail.example'],
  [['phone'], '+48501234567'],
  [['phone'], '0048 501-234-567'],
  [['last_name', 'email'], 'ZAK'],
])('what %j hides is found as a whole, as somebody says it: %s', (hidden, text) => {
  expect(found(hidden, text)).toBe(true);
});
