import { toDecimal, total, type Units, ZERO } from '@laurel/values/amount';

const SAMPLE_MAX = 50;

export interface Match {
  event_id: string;
  client_id: string;
  event_timestamp: string;
  points: number;
}

/** What a rule would have done so far. Points are units here. */
export interface Tally {
  events: number;
  matches: number;
  clients: number;
  points: number;
  days: { date: string; matches: number; points: number }[];
  sample: Match[];
}

export const EMPTY_TALLY: Tally = {
  events: 0,
  matches: 0,
  clients: 0,
  points: 0,
  days: [],
  sample: [],
};

/** The tally with one more match in it; events are replayed in the order in which they happened. */
export function withMatch(
  tally: Tally,
  match: { eventId: string; clientId: string; at: Date; points: Units },
): Tally {
  const date = match.at.toISOString().slice(0, 10);
  const last = tally.days.at(-1);
  const today = last?.date === date ? last : { date, matches: 0, points: ZERO };
  const earlier = last?.date === date ? tally.days.slice(0, -1) : tally.days;
  const sum = (points: number) => total(points, match.points);
  const shown = {
    event_id: match.eventId,
    client_id: match.clientId,
    event_timestamp: match.at.toISOString(),
    points: toDecimal(match.points),
  };
  return {
    ...tally,
    matches: tally.matches + 1,
    points: sum(tally.points),
    days: [...earlier, { date, matches: today.matches + 1, points: sum(today.points) }],
    sample: tally.sample.length < SAMPLE_MAX ? [...tally.sample, shown] : tally.sample,
  };
}
