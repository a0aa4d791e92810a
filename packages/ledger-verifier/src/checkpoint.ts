import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Checkpoint } from './types';

export interface Head {
  wallet: string;
  sequence: number;
  hash: string;
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

function rootOf(heads: readonly Head[]): string {
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
