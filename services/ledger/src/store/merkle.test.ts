import { createHash } from 'node:crypto';
import { propertySettings } from '@laurel/testing';
import fc from 'fast-check';
import { type ChainHead, createLeaves, createMerkleTree } from './merkle';

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** As RFC 6962 says it: split at the largest power of two below the count. */
function rootOf(heads: readonly ChainHead[]): Buffer {
  const [first] = heads;
  if (!first) return sha256();
  if (heads.length === 1) {
    const { walletId, sequence, hash } = first;
    return sha256(Buffer.from([0]), Buffer.from(`${walletId}\n${sequence}\n${hash}`));
  }
  let split = 1;
  while (split * 2 < heads.length) split *= 2;
  return sha256(Buffer.from([1]), rootOf(heads.slice(0, split)), rootOf(heads.slice(split)));
}

const head = (at: number): ChainHead => ({
  walletId: `w${String(at).padStart(3, '0')}`,
  sequence: at + 1,
  hash: `h${at}`,
});

function leavesOf(heads: readonly ChainHead[]): Buffer {
  const leaves = createLeaves();
  for (const one of heads) leaves.add(one);
  return leaves.bytes();
}

test('heads have the root of RFC 6962, however many they are and wherever they are cut into parts', () => {
  const cuts = fc.array(fc.nat(300), { maxLength: 8 });
  fc.assert(
    fc.property(fc.nat(300), cuts, (count, places) => {
      const heads = Array.from({ length: count }, (_, at) => head(at));
      const bounds = [0, ...places.map((at) => Math.min(at, count)).sort((a, b) => a - b), count];
      const tree = createMerkleTree();
      for (const [at, from] of bounds.entries())
        tree.add(leavesOf(heads.slice(from, bounds[at + 1])));
      expect(tree.root()).toBe(rootOf(heads).toString('hex'));
      expect(tree.count).toBe(count);
    }),
    propertySettings(100),
  );
});

test('heads that are not in order of their wallets have no leaves', () => {
  const leaves = createLeaves();
  leaves.add(head(2));
  expect(() => leaves.add(head(1))).toThrow('out of order');
});
