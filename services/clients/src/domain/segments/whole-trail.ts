import {
  CUSTOM_KINDS_MAX,
  categoryKey,
  eventKey,
  type Profile,
  REFERRED,
  TIMES_MAX,
} from './profile';
import { type Came, type Step, stepsOf } from './running-sum';
import { earningOf, isCustomKind, type Kind, keysOf, spendingOf, type Told } from './told';

/** What a profile keeps of the whole trail of its client. */
export interface KeptTrail {
  times: Profile['times'];
  /** How many referrals the client brought in that were completed. */
  referrals: number;
  spent: Step[];
  earned: Step[];
}

/** Rows that a profile keeps no more of, however many older ones there are. */
export interface Complete {
  kinds: readonly Kind[];
  /** Where no further kinds of custom events are kept: the types of those that older rows still count for. */
  customTypes: readonly string[] | null;
}

const CUSTOM_CATEGORY = 'custom';

/**
 * Collects the moments that a profile keeps from the rows of a trail, which come the newest first: the same as all of them
 * make one after the other.
 */
export function collectTimes() {
  const times: Profile['times'] = {};
  /** Of what is kept, by its key. */
  const kinds = new Map<string, Kind>();
  let customKinds = 0;
  const isFull = (key: string) => (times[key]?.length ?? 0) >= TIMES_MAX;
  // A row of that kind counts for no more than these.
  const isComplete = (kind: Kind) =>
    keysOf({ ...kind, metadata: { role: 'referrer' } }).every(isFull);

  return {
    times,

    add(row: Told): void {
      const { event_category, event_type } = row;
      for (const key of keysOf(row)) {
        const isNew = times[key] === undefined;
        if (isNew && isCustomKind(key)) {
          if (customKinds === CUSTOM_KINDS_MAX) continue;
          customKinds += 1;
        }
        if (isNew) times[key] = [];
        if (!isFull(key)) times[key]!.push(row.event_timestamp);
      }
      const own = eventKey(event_category, event_type);
      if (times[own] !== undefined) kinds.set(own, { event_category, event_type });
    },

    /** What need not be read on, as far as rows were added. */
    complete(): Complete {
      const all = [...kinds.values()];
      const isClosed = customKinds === CUSTOM_KINDS_MAX && isFull(categoryKey(CUSTOM_CATEGORY));
      const isOpenCustom = (kind: Kind) =>
        kind.event_category === CUSTOM_CATEGORY && !isComplete(kind);
      return {
        kinds: all.filter(isComplete),
        customTypes: isClosed ? all.filter(isOpenCustom).map((kind) => kind.event_type) : null,
      };
    },
  };
}

/** What a profile keeps of a trail, of which all rows are given, the newest first. */
export function keptOf(rows: readonly Told[]): KeptTrail {
  const { times, add } = collectTimes();
  const spent: Came[] = [];
  const earned: Came[] = [];
  for (const row of rows) {
    add(row);
    const at = row.event_timestamp;
    const spending = spendingOf(row);
    const earning = earningOf(row);
    if (spending !== null) spent.push({ at, amount: spending });
    if (earning !== null) earned.push({ at, amount: earning });
  }
  const referrals = rows.filter((row) => keysOf(row).includes(REFERRED)).length;
  return { times, referrals, spent: stepsOf(spent), earned: stepsOf(earned) };
}
