import { signedAs } from './signed-as';

test.each([
  ['Ann Weber', 'Ann Weber'],
  ['J. R. St. John', 'J. R. St. John'],
  ['Ann\r\nWeber', 'Ann Weber'],
  ['Your card is blocked, see phish.example', 'ann@example.com'],
  ['Help at phish\u3002example', 'ann@example.com'],
  ['ann@phish.example', 'ann@example.com'],
  ['https://phish.example', 'ann@example.com'],
])('somebody called %j invites as %j', (name, shown) => {
  expect(signedAs(name, 'ann@example.com')).toBe(shown);
});
