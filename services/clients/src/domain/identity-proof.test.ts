import { provesIdentity } from './identity-proof';

const ann = { email: 'Ann@Example.com', phone: '+48 501-234-567' };
const phoneOnly = { email: null, phone: '+48 501-234-567' };
const nobody = { email: null, phone: null };

describe('who wants to be erased', () => {
  test.each([
    ['the stored address in any case, with spaces around it', ann, { email: ' ann@example.COM ' }],
    ['the stored number with other spaces and dashes', phoneOnly, { phone: '+48501 23-45-67' }],
    ['a plain yes where nothing is stored', nobody, { confirm_erase: true }],
    ['the address, whatever else is sent', ann, { email: 'ann@example.com', phone: '1' }],
  ])('is believed for %s', (_proof, client, proof) => {
    expect(provesIdentity(client, proof)).toBe(true);
  });

  test.each([
    ['nothing', ann, {}],
    ['another address', ann, { email: 'bob@example.com' }],
    ['an empty address', ann, { email: '' }],
    ['the number where an address is stored', ann, { phone: '+48501234567' }],
    ['a plain yes where an address is stored', ann, { confirm_erase: true }],
    ['another number', phoneOnly, { phone: '+48501234568' }],
    ['a plain yes where a number is stored', phoneOnly, { confirm_erase: true }],
    ['nothing where nothing is stored', nobody, {}],
    ['a plain no', nobody, { confirm_erase: false }],
  ])('is not believed for %s', (_proof, client, proof) => {
    expect(provesIdentity(client, proof)).toBe(false);
  });
});
