import { createPassLinks } from '../../domain/pass/links';
import type { PassFacts } from '../../domain/pass/placeholders';
import { htmlMail } from './html-mail';

const publicUrl = 'https://laurel.example';
const links = createPassLinks({ keys: [Buffer.alloc(32, 2)], publicUrl });
const urls = links.urlsOf({ id: 'p1', link_generation: 0 });
const facts: PassFacts = {
  passFields: { site: 'phish.example/login' },
  identity: null,
  customFields: {},
  wallets: [],
  tier: null,
  referralCode: null,
};
const mail = (template: string) => htmlMail(template, { facts, urls, publicUrl });

describe('a mail of a workspace in the name of the platform', () => {
  test.each([
    '<a href="https://phish.example/login" target="_blank">log in</a>',
    '<a href="https://laurel.example.phish.example/login">log in</a>',
    '<a href="https://laurel.example@phish.example/login">log in</a>',
    '<a href="https:\\\\phish.example/login">log in</a>',
    '<a href="//phish.example/login">log in</a>',
    '<a href="mailto:me@phish.example">log in</a>',
    '<a href="{{site}}">log in</a>',
  ])('keeps the words of a link that leads elsewhere, and not where it leads: %s', (template) => {
    const html = mail(template);
    expect(html).toContain('log in');
    expect(html).not.toContain('phish');
  });

  test.each([
    'https://phish.example/login',
    'phish.example/login',
    'phish&period;example/login',
    'phish\u2024example/login',
    'phish。example/login',
    '1.2.3.4/phish',
    'https://laurel.example/p/,https://phish.example',
    'https://laurel.example/&lt;phish.example',
    'laurel.example/@phish.example',
    '{{site}}',
    `<a href="${urls.apple_pass_url}">www.phish.example</a>`,
  ])('names no address that a mail program would make a link of: %s', (template) => {
    const html = mail(`<p>Log in: ${template} soon.</p>`);
    expect(html).toContain('Log in: ');
    expect(html).toContain(' soon.');
    expect(html).not.toMatch(/phish/);
  });

  test.each([
    '<img src="https://phish.example/t.gif" alt="x">',
    '<p style="background: url(https://phish.example/t.gif)">x</p>',
    '<p style="background: u\\72l(https://phish.example/t.gif)">x</p>',
    '<p style="background: image-set(\'https://phish.example/t.gif\' 1x)">x</p>',
  ])('draws nothing that lies elsewhere, so that no one learns who opened it: %s', (template) => {
    expect(mail(template)).not.toContain('phish');
  });

  test('keeps its look, its words, and the pages and pictures of the platform', () => {
    const own = [
      '<h1 style="color:rgb(1, 2, 3)">Hello Ann, open 8.30 to 17.00, e.g. Mon.</h1>',
      '<img src="https://laurel.example/assets/1" alt="us" />',
      `<a href="${urls.apple_pass_url}">Apple</a> ${urls.google_pass_url}`,
    ].join('');
    expect(mail(own)).toBe(own);
  });

  test('has the links of the pass, where its words name none', () => {
    for (const html of [mail('Hello'), mail('<a href="https://phish.example">x</a>')]) {
      expect(html).toContain(`href="${urls.apple_pass_url}"`);
      expect(html).toContain(`href="${urls.google_pass_url}"`);
    }
  });
});
