import { createCipheriv, createHmac, hkdfSync } from 'node:crypto';
import { CLIENT_ACCESS_SECONDS, signClientAccess } from './client-access';
import { addressMark, createPortalLinks } from './portal-links';
import { createTokens } from './tokens';

const SECRET = 'a-secret-of-at-least-32-characters!';
const OTHER = 'another-secret-of-32-characters!!!!';
const link = {
  workspaceId: '0197aaaa-bbbb-7ccc-8ddd-eeeeffff0001',
  clientId: '0197aaaa-bbbb-7ccc-8ddd-eeeeffff0002',
};
const links = createPortalLinks(SECRET);
const refused = expect.objectContaining({ code: 'INVALID_TOKEN' });

/** A link as they were sealed while they had no end. */
function sealedUndated(): string {
  const ids = [link.workspaceId, link.clientId].join('').replaceAll('-', '');
  const content = Buffer.from(ids, 'hex');
  const key = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', SECRET, 'laurel-portal-link', purpose, 32));
  const nonce = createHmac('sha256', key('name')).update(content).digest().subarray(0, 12);
  const cipher = createCipheriv('aes-256-gcm', key('seal'), nonce);
  const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

describe('a portal link', () => {
  test('signs in the client it was sealed for', () => {
    expect(links.openPortalLink(links.sealPortalLink(link))).toEqual(link);
  });

  test('says whether it was made for somebody who had proven their address', () => {
    const proven = { ...link, isProven: true };
    expect(links.openPortalLink(links.sealPortalLink(proven))).toEqual(proven);
    expect(links.sealPortalLink(proven)).not.toBe(links.sealPortalLink(link));
  });

  test('says where it was mailed to, whatever the case of its letters, and never where that is', () => {
    const mailedTo = addressMark(' Ann@mail.example');
    const token = links.sealPortalLink({ ...link, mailedTo });
    expect(links.openPortalLink(token)).toEqual({ ...link, isProven: true, mailedTo });
    expect(addressMark('ann@MAIL.example')).toBe(mailedTo);
    expect(addressMark('bo@mail.example')).not.toBe(mailedTo);
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('mail.example');
  });

  test('shows neither the client nor the workspace', () => {
    const token = links.sealPortalLink(link);
    const bytes = Buffer.from(token, 'base64url').toString('hex');
    for (const id of Object.values(link)) {
      expect(token).not.toContain(id);
      expect(bytes).not.toContain(id.replaceAll('-', ''));
    }
  });

  test('is the same all day for one client, and another for another', () => {
    expect(links.sealPortalLink(link)).toBe(links.sealPortalLink({ ...link }));
    const swapped = { workspaceId: link.clientId, clientId: link.workspaceId };
    expect(links.sealPortalLink(swapped)).not.toBe(links.sealPortalLink(link));
  });

  test('ends after 90 days; each mail carries a fresh one', () => {
    const sealedAt = new Date('2027-03-01T12:00:00Z');
    const token = links.sealPortalLink(link, sealedAt);
    const after = (days: number) => new Date(sealedAt.getTime() + days * 86_400_000);
    expect(links.openPortalLink(token, after(89))).toEqual(link);
    expect(() => links.openPortalLink(token, after(90))).toThrow(refused);
    expect(links.sealPortalLink(link, after(1))).not.toBe(token);
    expect(links.openPortalLink(links.sealPortalLink(link, after(90)), after(90))).toEqual(link);
  });

  test('from before links ended has its 90 days, too', () => {
    const token = sealedUndated();
    expect(links.openPortalLink(token, new Date('2027-02-19T00:00:00Z'))).toEqual(link);
    expect(() => links.openPortalLink(token, new Date('2027-02-20T00:00:00Z'))).toThrow(refused);
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
