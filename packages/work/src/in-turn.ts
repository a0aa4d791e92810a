/**
 * Works on a page of what is due, one after the other: a fault at one keeps no other from its turn. Says that there may be
 * more where the page was full and something came of it: what failed is still due then, and comes up with the next page.
 * Rejects with what failed where no other page follows.
 *
 * @param full how many a page has where there is more
 */
export async function workInTurn<Row>(
  page: readonly Row[],
  full: number,
  work: (row: Row) => Promise<unknown>,
): Promise<{ more: boolean }> {
  const failures: unknown[] = [];
  for (const row of page) {
    try {
      await work(row);
    } catch (error) {
      failures.push(error);
    }
  }
  const more = page.length === full && failures.length < page.length;
  if (failures.length > 0 && !more)
    throw new AggregateError(
      failures,
      `${failures.length} of ${page.length} could not be worked on`,
    );
  return { more };
}
