import type { EntryDocument } from './documents';
import type { EntryStore } from './entries';

type Entries = Pick<EntryStore['collection'], 'insertMany'>;

interface WriteError {
  index: number;
  code?: number;
}

/**
 * Inserts the planned entries of several wallets and says how many of each were taken, counted from the
 * front. Wallets with one entry share one unordered insert; a longer plan is an ordered one of its own,
 * which stops at the first conflict, so that no hole can arise. Throws when the outcome is unknown.
 */
export async function insertEntries(
  entries: Entries,
  plans: readonly (readonly EntryDocument[])[],
): Promise<number[]> {
  const inserted = plans.map(() => 0);
  const single = plans.flatMap((plan, at) => (plan.length === 1 ? [at] : []));
  const several = plans.flatMap((plan, at) => (plan.length > 1 ? [at] : []));
  const insertSingles = async (): Promise<void> => {
    if (single.length === 0) return;
    const lost = await insert(
      entries,
      single.map((at) => plans[at]![0]!),
      false,
    );
    single.forEach((at, index) => {
      inserted[at] = lost.has(index) ? 0 : 1;
    });
  };
  await Promise.all([
    insertSingles(),
    ...several.map(async (at) => {
      const [first] = await insert(entries, plans[at]!, true);
      inserted[at] = first ?? plans[at]!.length;
    }),
  ]);
  return inserted;
}

/** Positions that a unique index refused. */
async function insert(
  entries: Entries,
  documents: readonly EntryDocument[],
  ordered: boolean,
): Promise<Set<number>> {
  try {
    await entries.insertMany([...documents], { ordered });
    return new Set();
  } catch (error) {
    const { writeErrors } = error as { writeErrors?: WriteError | WriteError[] };
    if (writeErrors === undefined) throw error;
    const list = Array.isArray(writeErrors) ? writeErrors : [writeErrors];
    if (list.length === 0 || list.some(({ code }) => code !== 11000)) throw error;
    return new Set(list.map(({ index }) => index));
  }
}
