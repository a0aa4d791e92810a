import { CLIENT_ACCESS_SECONDS, signClientAccess } from './client-access';
import { createPortalLinks } from './portal-links';
import { createTokens } from './tokens';

const SECRET = 'a-secret-of-at-least-32-characters!';
const OTHER = 'another-secret-of-32-characters!!!!';
const link = {
  workspaceId: '0197aaaa-bbbb-7ccc-8ddd-eeeeffff0001',
  clientId: '0197aaaa-bbbb-7ccc-8ddd-eeeeffff0002',
};
const links = createPortalLinks(SECRET);

describe('a portal link', () => {
  test('signs in the client it was sealed for', () => {
    expect(links.openPortalLink(links.sealPortalLink(link))).toEqual(link);
  });

  test('shows neither the client nor the workspace', () => {
    const token = links.sealPortalLink(link);
    const bytes = Buffer.from(token, 'base64url').toString('hex');
    for (const id of Object.values(link)) {
      expect(token).not.toContain(id);
      expect(bytes).not.toContain(id.replaceAll('-', ''));
    }
  });

  test('is the same each time for one client, and another for another', () => {
    expect(links.sealPortalLink(link)).toBe(links.sealPortalLink({ ...link }));
    const swapped = { workspaceId: link.clientId, clientId: link.workspaceId };
    expect(links.sealPortalLink(swapped)).not.toBe(links.sealPortalLink(link));
  });

  test('is refused when any bit of it was changed', () => {
    const bytes = Buffer.from(links.sealPortalLink(link), 'base64url');
    for (let position = 0; position < bytes.length; position += 1) {
      const forged = Buffer.from(bytes);
      forged[position]! ^= 1;
      expect(() => links.openPortalLink(forged.toString('base64url'))).toThrow(
        expect.objectContaining({ code: 'INVALID_TOKEN' }),
      );
    }
  });

  test.each([
    ['nothing', ''],
    ['noise', 'x'.repeat(80)],
    ['a client id', link.clientId],
    ['a stranger', createPortalLinks(OTHER).sealPortalLink(link)],
  ])('made of %s is refused', (_maker, token) => {
    expect(() => links.openPortalLink(token)).toThrow(
      expect.objectContaining({ code: 'INVALID_TOKEN' }),
    );
  });

  test('opens while the secret that sealed it is being replaced', () => {
    const token = links.sealPortalLink(link);
    expect(createPortalLinks(OTHER, SECRET).openPortalLink(token)).toEqual(link);
    expect(() => createPortalLinks(OTHER).openPortalLink(token)).toThrow();
  });
});

test('a client token names its type, client and workspace, and lives 30 days', () => {
  const tokens = createTokens(SECRET);
  const claims = tokens.verify('client_access', signClientAccess(tokens, link));
  expect(claims).toMatchObject({
    type: 'client_access',
    sub: link.clientId,
    ws: link.workspaceId,
  });
  expect(claims.exp - claims.iat).toBe(CLIENT_ACCESS_SECONDS);
  expect(CLIENT_ACCESS_SECONDS).toBe(30 * 24 * 60 * 60);
});
