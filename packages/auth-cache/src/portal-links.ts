import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { platform } from '@laurel/errors';

/** Whom a portal link signs in. */
export interface PortalLink {
  workspaceId: string;
  clientId: string;
}

export interface PortalLinks {
  /**
   * The token of a client's portal link: opaque, so that no client id can be read in a pass or a mail,
   * and always the same for the same client, so that rendering a pass twice gives the same bytes.
   */
  sealPortalLink(link: PortalLink): string;
  /** Whom the token signs in; throws INVALID_TOKEN. Whether they still may is asked afterwards. */
  openPortalLink(token: string): PortalLink;
}

interface Keys {
  seal: Buffer;
  name: Buffer;
}

const CIPHER = 'aes-256-gcm';
const UUID_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const TOKEN_BYTES = NONCE_BYTES + 2 * UUID_BYTES + TAG_BYTES;

/**
 * Seals and opens portal links with keys of their own, derived from the secret that signs tokens.
 * `previousSecret` still opens what it sealed: links stand on passes until those are drawn again.
 * The nonce is a keyed digest of the content: two different links never share one.
 */
export function createPortalLinks(secret: string, previousSecret?: string): PortalLinks {
  const current = keysOf(secret);
  const known = previousSecret === undefined ? [current] : [current, keysOf(previousSecret)];
  return {
    sealPortalLink({ workspaceId, clientId }) {
      const content = Buffer.concat([bytesOf(workspaceId), bytesOf(clientId)]);
      const nonce = createHmac('sha256', current.name)
        .update(content)
        .digest()
        .subarray(0, NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.seal, nonce);
      const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
    },

    openPortalLink(token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== TOKEN_BYTES) throw platform.invalidToken();
      for (const keys of known) {
        const content = opened(bytes, keys);
        if (content)
          return {
            workspaceId: uuidOf(content.subarray(0, UUID_BYTES)),
            clientId: uuidOf(content.subarray(UUID_BYTES)),
          };
      }
      throw platform.invalidToken();
    },
  };
}

function keysOf(secret: string): Keys {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, 'laurel-portal-link', purpose, 32));
  return { seal: derive('seal'), name: derive('name') };
}

function opened(bytes: Buffer, { seal }: Keys): Buffer | null {
  const decipher = createDecipheriv(CIPHER, seal, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const content = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([content, decipher.final()]);
  } catch {
    return null;
  }
}

function bytesOf(uuid: string): Buffer {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  if (bytes.length !== UUID_BYTES) throw new TypeError('a portal link takes ids that are UUIDs');
  return bytes;
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
