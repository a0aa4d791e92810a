import type { KindName } from './kinds';

/** What is under way. */
export interface Begun {
  kind: KindName;
  key: string;
  /** Where it stands; what leaves stands in no file any more. */
  file?: string;
}

/** Hears of each thing before anything is asked about it: what is refused then is refused for it. */
export type Begins = (one: Begun) => void;
