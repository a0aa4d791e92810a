import type { Outcome } from '../queue/queue';
import type { WholePass } from '../shapes';

/** The card before us; without its pass where there was no network to ask. */
export interface Card {
  code: string;
  pass: WholePass | null;
}

/** What was done, or kept for later. */
export interface Finished {
  card: Card;
  title: string;
  key: string;
  outcome: Outcome;
}
