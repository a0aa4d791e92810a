import { createContext, useContext } from 'react';
import type { Language } from './language';

/** The words, which are there before anybody is signed in. */
export const TextContext = createContext<Language | null>(null);

export function useText(): Language {
  const found = useContext(TextContext);
  if (!found) throw new Error('there is no language above this view');
  return found;
}
