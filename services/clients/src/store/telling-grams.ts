import { LRUCache } from 'lru-cache';

/** Enough to tell what stands in every hundredth text from what hardly any has. */
const SAMPLED = 300;
const KEPT_MS = 600_000;
const WORKSPACES_MAX = 500;
/** What stands in fewer of the sampled texts is not remembered: it tells enough. */
const COMMON = 3;

/** Some texts of a workspace, the newest ones. */
export type NewestTexts = (workspaceId: string, limit: number) => Promise<string[]>;

/**
 * Puts the pieces that few texts of the workspace have first: looking up `@ma` or `+49` reads as many entries of the index
 * as there are clients, and tells nothing. What is common is seen in a sample that is ten minutes old at most; a wrong
 * guess costs time, and no answer depends on it.
 *
 * @param gramsOf the pieces of a text
 */
export function createTellingGrams(
  newestTexts: NewestTexts,
  gramsOf: (text: string) => readonly string[],
) {
  const common = new LRUCache<string, Map<string, number>>({
    max: WORKSPACES_MAX,
    ttl: KEPT_MS,
    fetchMethod: async (workspaceId) => {
      const counts = new Map<string, number>();
      for (const gram of (await newestTexts(workspaceId, SAMPLED)).flatMap(gramsOf))
        counts.set(gram, (counts.get(gram) ?? 0) + 1);
      return new Map([...counts].filter(([, count]) => count >= COMMON));
    },
  });

  return async (workspaceId: string, grams: readonly string[]): Promise<string[]> => {
    const counts = await common.fetch(workspaceId);
    const countOf = (gram: string) => counts?.get(gram) ?? 0;
    return [...grams].sort((one, other) => countOf(one) - countOf(other));
  };
}
