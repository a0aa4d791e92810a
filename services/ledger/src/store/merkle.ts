import { createHash } from 'node:crypto';

/** The end of a wallet's chain. */
export interface ChainHead {
  walletId: string;
  sequence: number;
  hash: string;
}

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/**
 * The Merkle root over chain heads in order of wallet id (RFC 6962: leaves and nodes hash differently, an odd
 * node moves up unchanged). It stands for every entry up to those heads.
 */
export function merkleRoot(heads: readonly ChainHead[]): string {
  const ordered = [...heads].sort((a, b) => (a.walletId < b.walletId ? -1 : 1));
  let level = ordered.map(({ walletId, sequence, hash }) =>
    sha256(LEAF, Buffer.from(`${walletId}\n${sequence}\n${hash}`)),
  );
  if (level.length === 0) return sha256(Buffer.alloc(0)).toString('hex');
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at]!, level[at + 1]];
      above.push(right ? sha256(NODE, left, right) : left);
    }
    level = above;
  }
  return level[0]!.toString('hex');
}

function sha256(...parts: Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** What a checkpoint's signature covers. */
export function checkpointText(checkpoint: {
  workspaceId: string;
  id: string;
  at: Date;
  wallets: number;
  root: string;
}): string {
  const { workspaceId, id, at, wallets, root } = checkpoint;
  return ['laurel-checkpoint-1', workspaceId, id, at.toISOString(), wallets, root].join('\n');
}
