import { createHash } from 'node:crypto';
import { propertySettings } from '@laurel/testing';
import fc from 'fast-check';
import { type ChainHead, createMerkleTree } from './merkle';

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

test('heads that come one by one have the root of RFC 6962, however many they are', () => {
  fc.assert(
    fc.property(fc.nat(300), (count) => {
      const heads = Array.from({ length: count }, (_, at) => head(at));
      const tree = createMerkleTree();
      for (const one of heads) tree.add(one);
      expect(tree.root()).toBe(rootOf(heads).toString('hex'));
      expect(tree.count).toBe(count);
    }),
    propertySettings(100),
  );
});

test('heads that are not in order of their wallets have no root', () => {
  const tree = createMerkleTree();
  tree.add(head(2));
  expect(() => tree.add(head(1))).toThrow('out of order');
});
