/** What of an entry says where it stands. */
interface Placed {
  wallet_id: string;
  sequence: number;
  created_at: Date;
}

/** Entries of several wallets, each at one sequence; what is not there is left out. */
type ReadPlaces<Entry> = (places: ReadonlyMap<string, number>) => Promise<Entry[]>;

/** Where the last entry by a time may be: behind `low`, and before `high` where that is known. */
interface Search<Entry> {
  low: number;
  high: number | null;
  step: number;
  found: Entry | null;
}

/**
 * The last entry by a time of each of some wallets; those that have none are left out. Sequences have no holes and times
 * never run backwards within a wallet, so it is found by going away from a sequence near it in steps that double, and
 * then halving. Every step asks for all wallets at once.
 *
 * @param near by wallet, a sequence that exists or existed by then, or 0 where none is known
 */
export async function lastEntriesBy<Entry extends Placed>(
  read: ReadPlaces<Entry>,
  near: ReadonlyMap<string, number>,
  at: Date,
): Promise<Map<string, Entry>> {
  const searches = new Map<string, Search<Entry>>(
    [...near].map(([id]) => [id, { low: 0, high: null, step: 1, found: null }]),
  );
  let places = new Map([...near].map(([id, sequence]) => [id, Math.max(1, sequence)]));
  while (places.size > 0) {
    const there = await read(places);
    const entries = new Map(there.map((entry) => [entry.wallet_id, entry]));
    const next = new Map<string, number>();
    for (const [id, sequence] of places) {
      const search = searches.get(id)!;
      learn(search, sequence, entryBy(entries.get(id), at));
      const place = nextPlace(search);
      if (place !== null) next.set(id, place);
    }
    places = next;
  }
  return new Map([...searches].flatMap(([id, { found }]) => (found ? [[id, found]] : [])));
}

const entryBy = <Entry extends Placed>(entry: Entry | undefined, at: Date): Entry | null =>
  entry && entry.created_at <= at ? entry : null;

function learn<Entry>(search: Search<Entry>, sequence: number, entry: Entry | null): void {
  if (!entry) search.high = sequence;
  else {
    search.low = sequence;
    search.found = entry;
  }
}

/** Where to look next; null where the entry has been found, or that there is none. */
function nextPlace(search: Search<unknown>): number | null {
  const { low, high, found, step } = search;
  if (high !== null && high - low === 1) return null;
  search.step = step * 2;
  if (high === null) return low + step;
  const below = high - step;
  return found === null && below > low ? below : Math.floor((low + high) / 2);
}
