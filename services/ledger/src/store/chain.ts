import { createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { EntryBody, EntryDocument, NoteDocument } from './documents';

/** `prev_hash` of the first entry of a wallet. */
export const GENESIS_HASH = '0'.repeat(64);

/** JSON with sorted keys and without spaces (RFC 8785, for the strings and whole numbers used here). */
export function canonicalJson(value: unknown): string {
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .filter((key) => (value as Record<string, unknown>)[key] !== undefined)
    .map(
      (key) => `${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`,
    );
  return `{${members.join(',')}}`;
}

/**
 * The hashed part of an entry: everything but its hash, its markers and the caller's free text. A column that is added beside
 * them is taken for hashed by replicas of the release before: it goes into `cause`.
 */
export function bodyOf(entry: EntryDocument | EntryBody): EntryBody {
  const { prev_hash, hash, status, status_at, note, cause, unrelayed, ...body } =
    entry as EntryDocument;
  return body;
}

/** SHA-256 over the hash before it and the canonical form of the body (part 3, section 4.2). */
export function chainHash(prevHash: string, body: EntryBody): string {
  return createHash('sha256')
    .update(`${prevHash}\n${canonicalJson(body)}`)
    .digest('hex');
}

/**
 * The caller's free text and the digest of it that is hashed. The digest is keyed with a random salt kept
 * beside the text: once both are erased, no guess of what stood there can be confirmed.
 */
export function sealNote(
  description: string | null,
  metadata: Readonly<Record<string, unknown>>,
): { note: NoteDocument; digest: string } {
  const note = { salt: randomBytes(16).toString('hex'), description, metadata };
  return { note, digest: digestNote(note) };
}

export function digestNote({ salt, description, metadata }: NoteDocument): string {
  // Node takes five times as long with a key as bytes.
  return createHmac('sha256', createSecretKey(salt, 'hex'))
    .update(canonicalJson({ description, metadata }))
    .digest('hex');
}

/** A wallet's id, the same wherever and whenever it is computed (UUID v5 form over SHA-1). */
export function walletIdOf(workspaceId: string, clientId: string, walletTypeId: string): string {
  const digest = createHash('sha1')
    .update(`laurel-wallet\n${workspaceId}\n${clientId}\n${walletTypeId}`)
    .digest();
  digest[6] = (digest[6]! & 0x0f) | 0x50;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.toString('hex').slice(0, 32);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
