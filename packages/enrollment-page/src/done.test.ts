/** @jest-environment jsdom */
import { createDone } from './done.ts';
import { createLanguage } from './language.ts';
import type { Enrolled } from './shapes.ts';

const links = { apple_pass_url: 'https://laurel.example/a', google_pass_url: null };
const said = (data: Enrolled['data'], isResend = false): string =>
  createDone({
    enrolled: { data, isResend, emailSent: false },
    name: 'Ada',
    language: createLanguage('en'),
    device: 'apple',
    portalUrl: null,
    heading: 'h1',
  }).textContent!;

test('a new member whose first answer was lost is welcomed by the answer of the repeat, which leaves the token out', () => {
  const text = said({ pass_id: 'p', ...links, client_token: null });
  expect(text).toContain('Welcome, Ada!');
  expect(text).toContain('Add to Apple Wallet');
  expect(text).not.toContain('We have sent a link');
});

test.each([
  ['has a pass', 'p', true],
  ['has none', null, false],
])(
  'somebody who is known and %s is asked to open the link that was sent',
  (_, pass_id, isResend) => {
    const none = { apple_pass_url: null, google_pass_url: null, client_token: null };
    expect(said({ pass_id, ...none }, isResend)).toContain('You are already with us');
  },
);
