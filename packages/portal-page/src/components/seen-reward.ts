import type { Reward } from '../shapes.ts';

/** What can be done with a reward from wherever it stands. */
export interface RewardActions {
  /** Shows all that there is to it. */
  show(reward: Reward): void;
  redeem(reward: Reward): void;
}

/** A reward as it looks from the client's wallets. */
export interface SeenReward {
  reward: Reward;
  /** What the client has of what it costs; null where no wallet pays, or it is not known yet. */
  balance: number | null;
  /** Whether it must be said which of the client's wallets pays. */
  isOneOfSeveral: boolean;
}
