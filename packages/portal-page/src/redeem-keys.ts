import { newKey } from './new-key.ts';

/** The keys of what the client wanted and has no answer for. */
export interface RedeemKeys {
  /** The same until the wish is settled, however often its dialog is closed and opened again. */
  keyOf(rewardId: string): string;
  settle(rewardId: string): void;
}

/** One wish, one key: where an answer was lost, asking again must not use the points twice. */
export function createRedeemKeys(): RedeemKeys {
  const keys = new Map<string, string>();
  return {
    keyOf(rewardId) {
      const key = keys.get(rewardId) ?? newKey();
      keys.set(rewardId, key);
      return key;
    },
    settle: (rewardId) => void keys.delete(rewardId),
  };
}
