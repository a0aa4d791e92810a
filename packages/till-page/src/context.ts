import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { TillApi } from './api';
import type { Language } from './language';
import type { Wish } from './queue/machine';
import type { Queue } from './queue/queue';
import type { App } from './shapes';

/** What every screen works with. */
export interface Till {
  language: Language;
  api: TillApi;
  queue: Queue;
  app: App;
  currency: string;
  isOnline: boolean;
  wishes: readonly Wish[];
}

export const TillContext = createContext<Till>(null as never);
export const useTill = (): Till => useContext(TillContext);
