import type { KindName } from './kinds';

/** What is under way. */
export interface Begun {
  kind: KindName;
  key: string;
  /** Where it stands; what leaves stands in no file any more. */
  file?: string;
  /** Whether the answer to it holds a secret that is shown once, and is lost with it. */
  hasSecret?: boolean;
}

/**
 * Hears of each thing before anything is asked about it: what is refused then is refused for it. It hears null once the
 * thing is done where nothing is given out for that.
 */
export type Begins = (one: Begun | null) => void;
