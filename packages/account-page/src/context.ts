import type { PageSession, SignedIn } from '@laurel/page-kit';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Language } from './language';

export interface User {
  id: string;
  email: string;
  first_name: string | null;
  email_verified: boolean;
}
export type Account = SignedIn & { user: User };

export interface Page {
  language: Language;
  session: PageSession<Account>;
  /** Who is signed in; undefined until it is known. */
  account: Account | null | undefined;
  setAccount(account: Account | null): void;
  /** Goes to another address of these pages. */
  go(path: string): void;
}

export const PageContext = createContext<Page>(null as never);
export const usePage = (): Page => useContext(PageContext);
