import type { Laurel, OwnWorkspace, User } from '@laurel/client';
import { createContext, useContext } from 'react';
import type { Settings } from './api/start';
import type { Format } from './format/format';
import type { Language } from './language';

/** What every view stands on: who works here, where, in which words. */
export interface Console {
  language: Language;
  format: Format;
  laurel: Laurel;
  /** For what is no JSON: pictures, uploads. */
  fetch: typeof fetch;
  user: User;
  workspaces: readonly OwnWorkspace[];
  workspace: OwnWorkspace;
  settings: Settings;
  /** What the person may do here, as the platform names it. */
  permissions: ReadonlySet<string>;
  chooseWorkspace(id: string): void;
  chooseLanguage(code: string): void;
  signOut(): void;
}

export const ConsoleContext = createContext<Console | null>(null);

export function useConsole(): Console {
  const found = useContext(ConsoleContext);
  if (!found) throw new Error('there is no console above this view');
  return found;
}
