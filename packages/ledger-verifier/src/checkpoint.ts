import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Checkpoint } from './types';

export interface Head {
  wallet: string;
  sequence: number;
  hash: string;
}

const TEXTS = ['id', 'workspace_id', 'at', 'root', 'signature', 'key_id', 'public_key'] as const;

/**
 * A checkpoint as the API answers it, or what stands under its `data`.
 *
 * @throws when the text is no checkpoint
 */
export function readCheckpoint(text: string): Checkpoint {
  const parsed = parseJson(text) as { data?: Partial<Checkpoint> } & Partial<Checkpoint>;
  const checkpoint = parsed?.data ?? parsed;
  if (Array.isArray(checkpoint))
    throw new Error('the checkpoint file holds a list; put the one that is meant into a file');
  const isOne =
    TEXTS.every((name) => typeof checkpoint?.[name] === 'string') &&
    typeof checkpoint?.wallets === 'number';
  if (!isOne) throw new Error('the checkpoint file holds no checkpoint');
  return checkpoint as Checkpoint;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What speaks against a checkpoint, given where the wallets of the export stood at its time. */
export function checkCheckpoint(
  checkpoint: Checkpoint,
  heads: readonly Head[],
  trustedKey: string | null,
): string[] {
  const problems: string[] = [];
  if (heads.length !== checkpoint.wallets)
    problems.push(
      `the checkpoint covers ${checkpoint.wallets} wallets, the export ${heads.length}`,
    );
  if (rootOf(heads) !== checkpoint.root) problems.push('the root is not the one that was signed');
  const signed = [
    'laurel-checkpoint-1',
    checkpoint.workspace_id,
    checkpoint.id,
    checkpoint.at,
    checkpoint.wallets,
    checkpoint.root,
  ].join('\n');
  const key = createPublicKey(trustedKey ?? checkpoint.public_key);
  if (!verify(null, Buffer.from(signed), key, Buffer.from(checkpoint.signature, 'base64')))
    problems.push('the signature is not valid');
  const keyId = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);
  if (keyId !== checkpoint.key_id) problems.push('key_id does not name the key');
  return problems;
}

/** The root of the Merkle tree over all wallets, in hex. */
export function rootOf(heads: readonly Head[]): string {
  if (heads.length === 0) return createHash('sha256').digest('hex');
  let nodes = [...heads]
    .sort((a, b) => (a.wallet < b.wallet ? -1 : 1))
    .map(({ wallet, sequence, hash }) => digest(0, Buffer.from(`${wallet}\n${sequence}\n${hash}`)));
  while (nodes.length > 1) {
    const above: Buffer[] = [];
    for (let at = 0; at < nodes.length; at += 2) {
      const right = nodes[at + 1];
      above.push(right ? digest(1, Buffer.concat([nodes[at]!, right])) : nodes[at]!);
    }
    nodes = above;
  }
  return nodes[0]!.toString('hex');
}

function digest(prefix: number, content: Buffer): Buffer {
  return createHash('sha256')
    .update(Buffer.from([prefix]))
    .update(content)
    .digest();
}
