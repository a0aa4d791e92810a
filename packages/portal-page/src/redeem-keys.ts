import { newKey } from './new-key.ts';
import { type Kept, quietly } from './quietly.ts';

/** The keys of what the client wanted and has no answer for. */
export interface RedeemKeys {
  /** The same until the wish is settled, however often its dialog is closed and opened again, or the page loaded anew. */
  keyOf(rewardId: string): string;
  settle(rewardId: string): void;
  /** They are of one client: another who signs in here has none. */
  forget(): void;
}

/**
 * One wish, one key: where an answer was lost, asking again must not use the points twice. They are kept as long as the
 * tab is, and in a browser that keeps nothing as long as the page.
 */
export function createRedeemKeys(
  slug: string,
  storage: () => Kept = () => sessionStorage,
): RedeemKeys {
  const name = `laurel.portal.${slug}.wishes`;
  const read = (): [string, string][] => JSON.parse(storage().getItem(name) ?? '[]');
  const keys = new Map(quietly(read) ?? []);
  const write = () => quietly(() => storage().setItem(name, JSON.stringify([...keys])));
  return {
    keyOf(rewardId) {
      const key = keys.get(rewardId) ?? newKey();
      keys.set(rewardId, key);
      write();
      return key;
    },
    settle(rewardId) {
      keys.delete(rewardId);
      write();
    },
    forget() {
      keys.clear();
      quietly(() => storage().removeItem(name));
    },
  };
}
