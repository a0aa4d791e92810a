const DAY_MS = 86_400_000;

export interface Day {
  /** YYYY-MM-DD, UTC. */
  date: string;
  created: number;
  completed: number;
}

/** Midnight (UTC) of the first of the last `days` days, today included. */
export function firstDay(now: Date, days: number): Date {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return new Date(today - (days - 1) * DAY_MS);
}

/** One row per day, oldest first, those on which nothing happened included. */
export function fillTimeline(
  { from, days }: { from: Date; days: number },
  { created, completed }: Record<'created' | 'completed', ReadonlyMap<string, number>>,
): Day[] {
  return Array.from({ length: days }, (_, position) => {
    const date = new Date(from.getTime() + position * DAY_MS).toISOString().slice(0, 10);
    return { date, created: created.get(date) ?? 0, completed: completed.get(date) ?? 0 };
  });
}
