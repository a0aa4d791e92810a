const DAY_MS = 86_400_000;

/** Days that each named window looks back. */
const WINDOW_DAYS: Readonly<Record<string, number>> = {
  day: 1,
  week: 7,
  month: 30,
  quarter: 90,
  year: 365,
};

export interface WindowRequest {
  time_window?: string;
  custom_days?: number;
  from_date?: string;
  to_date?: string;
}

/**
 * The period that an aggregate covers. Explicit dates win over custom_days, and those over the named
 * window; without any of them, and for all_time, it is open at both ends.
 */
export function lookBack(
  { time_window, custom_days, from_date, to_date }: WindowRequest,
  now: Date,
): { from: Date | null; to: Date | null } {
  if (from_date !== undefined || to_date !== undefined) {
    return {
      from: from_date === undefined ? null : new Date(from_date),
      to: to_date === undefined ? null : new Date(to_date),
    };
  }
  const days = custom_days ?? WINDOW_DAYS[time_window ?? ''];
  return days === undefined
    ? { from: null, to: null }
    : { from: new Date(now.getTime() - days * DAY_MS), to: now };
}
