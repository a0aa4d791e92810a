import type { PassLinks } from '../../domain/pass/links';
import { offeredLinks } from './offered-links';

test.each([
  [{ apple: true, google: true }],
  [{ apple: true, google: false }],
  [{ apple: false, google: true }],
  [{ apple: false, google: false }],
])('people are shown the way into wallets that take the pass only: %j', async (offered) => {
  const urls = { apple_pass_url: 'https://a', google_pass_url: 'https://g' };
  const links = { urlsOf: () => urls } as unknown as PassLinks;
  const deps = { links, walletsOffered: async () => offered };
  const pass = { id: 'pass', link_generation: 0 };
  const { apple_pass_url, google_pass_url } = await offeredLinks(deps, 'workspace', pass);
  expect([apple_pass_url !== null, google_pass_url !== null]).toEqual([
    offered.apple,
    offered.google,
  ]);
});
