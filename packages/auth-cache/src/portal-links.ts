import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';
import { platform } from '@laurel/errors';
import { deriveKey, fromBase64url } from '@laurel/secrets';
import { emailKey } from '@laurel/values/email';

/** Whom a portal link signs in. */
export interface PortalLink {
  workspaceId: string;
  clientId: string;
  /** Whether it was mailed to the client's own address, or made after somebody had shown to read what is sent there. */
  isProven?: boolean;
  /** What stands for the address that it was mailed to (`addressMark`); it is no good once the client has another. */
  mailedTo?: string;
}

export interface PortalLinks {
  /**
   * The token of a client's portal link, good for 90 days: opaque, so that no client id can be read in a pass
   * or a mail, and the same for the same client on one day, so that rendering a pass twice gives the same bytes.
   */
  sealPortalLink(link: PortalLink, now?: Date): string;
  /** Whom the token signs in; throws INVALID_TOKEN. Whether they still may is asked afterwards. */
  openPortalLink(token: string, now?: Date): PortalLink;
}

interface Keys {
  seal: Buffer;
  name: Buffer;
}

const CIPHER = 'aes-256-gcm';
const UUID_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DAY_BYTES = 4;
const DAY_MS = 86_400_000;
/** Life of a link (part 4, section 8). */
const LIFE_DAYS = 90;
const UNDATED_BYTES = NONCE_BYTES + 2 * UUID_BYTES + TAG_BYTES;
const TOKEN_BYTES = UNDATED_BYTES + DAY_BYTES;
/** Follows the day where the link is proven. */
const PROVEN = Buffer.of(1);
/** Follows that where the link was mailed. */
const MARK_BYTES = 8;
const CONTENT_BYTES = 2 * UUID_BYTES + DAY_BYTES;
const LENGTHS = [
  UNDATED_BYTES,
  TOKEN_BYTES,
  TOKEN_BYTES + PROVEN.length,
  TOKEN_BYTES + PROVEN.length + MARK_BYTES,
];
/** Links from before they ended carry no day: they get the 90 days from when this was written. */
const UNDATED_UNTIL = Date.UTC(2027, 1, 20);

/**
 * Seals and opens portal links with keys of their own, derived from the secret that signs tokens.
 * `previousSecret` still opens what it sealed: links stand on passes until those are drawn again.
 * The nonce is a keyed digest of the content: two different links never share one.
 */
export function createPortalLinks(secret: string, previousSecret?: string): PortalLinks {
  const current = keysOf(secret);
  const known = previousSecret === undefined ? [current] : [current, keysOf(previousSecret)];
  return {
    sealPortalLink({ workspaceId, clientId, isProven = false, mailedTo }, now = new Date()) {
      const day = Buffer.alloc(DAY_BYTES);
      day.writeUInt32BE(dayOf(now));
      const ids = [bytesOf(workspaceId), bytesOf(clientId)];
      const mark = mailedTo === undefined ? [] : [Buffer.from(mailedTo, 'hex')];
      const proof = isProven || mailedTo !== undefined ? [PROVEN] : [];
      const content = Buffer.concat([...ids, day, ...proof, ...mark]);
      const nonce = createHmac('sha256', current.name)
        .update(content)
        .digest()
        .subarray(0, NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.seal, nonce);
      const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
    },

    openPortalLink(token, now = new Date()) {
      const bytes = fromBase64url(token);
      if (!LENGTHS.includes(bytes.length)) throw platform.invalidToken();
      for (const keys of known) {
        const content = opened(bytes, keys);
        if (!content) continue;
        requireAlive(content, now);
        return {
          workspaceId: uuidOf(content.subarray(0, UUID_BYTES)),
          clientId: uuidOf(content.subarray(UUID_BYTES, 2 * UUID_BYTES)),
          ...proofOf(content.subarray(CONTENT_BYTES)),
        };
      }
      throw platform.invalidToken();
    },
  };
}

/** Stands for an address within a link, from which the address cannot be read. */
export function addressMark(address: string): string {
  const digest = createHash('sha256').update(emailKey(address)).digest();
  return digest.subarray(0, MARK_BYTES).toString('hex');
}

function proofOf(rest: Buffer): Pick<PortalLink, 'isProven' | 'mailedTo'> {
  if (rest.length === 0) return {};
  const mark = rest.subarray(PROVEN.length).toString('hex');
  return { isProven: true, ...(mark === '' ? {} : { mailedTo: mark }) };
}

const dayOf = (moment: Date): number => Math.floor(moment.getTime() / DAY_MS);

function requireAlive(content: Buffer, now: Date): void {
  const isAlive =
    content.length === 2 * UUID_BYTES
      ? now.getTime() < UNDATED_UNTIL
      : dayOf(now) - content.readUInt32BE(2 * UUID_BYTES) < LIFE_DAYS;
  if (!isAlive) throw platform.invalidToken();
}

function keysOf(secret: string): Keys {
  const salt = 'laurel-portal-link';
  const [seal, name] = [
    deriveKey(secret, { salt, purpose: 'seal' }),
    deriveKey(secret, { salt, purpose: 'name' }),
  ];
  return { seal, name };
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
