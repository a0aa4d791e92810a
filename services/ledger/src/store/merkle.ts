import { createHash } from 'node:crypto';

/** The end of a wallet's chain. */
export interface ChainHead {
  walletId: string;
  sequence: number;
  hash: string;
}

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);
const LEAF_BYTES = 32;

/** The leaves of a Merkle tree over chain heads, one behind the other. */
export interface Leaves {
  /** Takes the next head; they come in order of wallet id. */
  add(head: ChainHead): void;
  bytes(): Buffer;
}

export function createLeaves(): Leaves {
  const leaves: Buffer[] = [];
  let before = '';
  return {
    add({ walletId, sequence, hash }) {
      if (walletId <= before) throw new Error('the heads of wallets came out of order');
      before = walletId;
      leaves.push(sha256(LEAF, Buffer.from(`${walletId}\n${sequence}\n${hash}`)));
    },
    bytes: () => Buffer.concat(leaves),
  };
}

export interface MerkleTree {
  /** Takes the leaves that come next. */
  add(leaves: Buffer): void;
  readonly count: number;
  root(): string;
}

/**
 * The Merkle root over chain heads in order of wallet id (RFC 6962: leaves and nodes hash differently, an odd
 * node moves up unchanged), wherever their leaves were cut. It stands for every entry up to those heads. Of any number of
 * them only the roots of full subtrees are held, one for each power of two.
 */
export function createMerkleTree(): MerkleTree {
  /** From the largest subtree to the smallest; no two of the same height. */
  const subtrees: { height: number; hash: Buffer }[] = [];
  let count = 0;
  return {
    add(leaves) {
      for (let at = 0; at < leaves.length; at += LEAF_BYTES) {
        count += 1;
        let height = 0;
        let right = leaves.subarray(at, at + LEAF_BYTES);
        while (subtrees.at(-1)?.height === height) {
          right = sha256(NODE, subtrees.pop()!.hash, right);
          height += 1;
        }
        subtrees.push({ height, hash: right });
      }
    },
    get count() {
      return count;
    },
    root: () =>
      (
        subtrees
          .map(({ hash }) => hash)
          .reduceRight<Buffer | null>(
            (right, left) => (right ? sha256(NODE, left, right) : left),
            null,
          ) ?? sha256(Buffer.alloc(0))
      ).toString('hex'),
  };
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
