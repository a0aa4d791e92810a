import { type Kept, quietly } from './quietly.ts';

export interface SessionStore {
  read(): string | null;
  write(token: string): void;
  clear(): void;
}

/**
 * Where the session of one workspace's portal is kept between visits. A browser that keeps nothing
 * (private windows, blocked storage) gets a session that ends with the page.
 */
export function createSessionStore(
  slug: string,
  storage: () => Kept = () => localStorage,
): SessionStore {
  const key = `laurel.portal.${slug}`;
  let current: string | null = null;
  return {
    read: () => (current ??= quietly(() => storage().getItem(key))),
    write(token) {
      current = token;
      quietly(() => storage().setItem(key, token));
    },
    clear() {
      current = null;
      quietly(() => storage().removeItem(key));
    },
  };
}
