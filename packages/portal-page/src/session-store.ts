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
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = () => localStorage,
): SessionStore {
  const key = `laurel.portal.${slug}`;
  let current: string | null = null;
  const quietly = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch {
      return null;
    }
  };
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
