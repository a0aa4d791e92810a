import { isLaurelError } from '@laurel/client';
import { UUID_PATTERN } from '@laurel/contract';

/** As many as most workspaces have of anything. */
const FIRST = 100;

interface Asked<Row> {
  list(query: { limit: number }): PromiseLike<{ data: readonly Row[] }>;
  get(id: string): PromiseLike<Row>;
}

/**
 * What is shown of a list that may be long, by its ids: the beginning of the list, and one by one what is not in it, so that
 * a list of thousands is not read for a few rows. What is there no more is left out, and what is no id, as programs may call
 * theirs: the platform refuses to look for it.
 */
export async function readShown<Row extends { id: string }>(
  ids: readonly string[],
  { list, get }: Asked<Row>,
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const { data } = await list({ limit: FIRST });
  if (data.length < FIRST) return [...data];
  const known = new Set(data.map(({ id }) => id));
  const others = [...new Set(ids)]
    .filter((id) => UUID_PATTERN.test(id) && !known.has(id))
    .map(async (id): Promise<Row[]> => {
      try {
        return [await get(id)];
      } catch (error) {
        if (isLaurelError(error) && error.status === 404) return [];
        throw error;
      }
    });
  return [...data, ...(await Promise.all(others)).flat()];
}
