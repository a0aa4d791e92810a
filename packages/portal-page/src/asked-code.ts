import { type Kept, quietly } from './quietly.ts';

/** To whom a code was sent that is still good. */
export interface AskedCode {
  read(): string | null;
  write(email: string): void;
  forget(): void;
}

/** As long as a code lives. */
const GOOD_MS = 10 * 60_000;

/**
 * A customer goes for the code to their mails, and the phone may drop the page meanwhile: it is kept as long as the tab
 * is, so that the code has a field when they come back. Where the browser keeps nothing, they begin with their address again.
 */
export function createAskedCode(
  slug: string,
  storage: () => Kept = () => sessionStorage,
  now = Date.now,
): AskedCode {
  const name = `laurel.portal.${slug}.asked`;
  return {
    read: () =>
      quietly(() => {
        const { email, at } = JSON.parse(storage().getItem(name)!);
        return now() - at < GOOD_MS ? email : null;
      }),
    write: (email) => {
      quietly(() => storage().setItem(name, JSON.stringify({ email, at: now() })));
    },
    forget: () => {
      quietly(() => storage().removeItem(name));
    },
  };
}
