const MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const NEXT = /^next ([a-z]+)(?: (\d\d):(\d\d))?$/;

/** `366d`, `2w`, `12h`, `30m` in milliseconds; null where it is none of these. */
export function durationMs(said: unknown): number | null {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(String(said)) ?? [];
  return count === undefined ? null : Number(count) * MS[unit as keyof typeof MS];
}

/**
 * A moment that is named so that a scenario holds at any time of writing: `next tuesday 09:00`, in UTC, after `from`; or
 * a timestamp. Null where it is neither.
 */
export function momentAfter(said: unknown, from: Date): Date | null {
  const text = said instanceof Date ? said.toISOString() : String(said);
  const [, name, hours = '00', minutes = '00'] = NEXT.exec(text.toLowerCase()) ?? [];
  if (name === undefined)
    return /^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text) : null;
  const weekday = DAYS.indexOf(name);
  if (weekday === -1) return null;
  const moment = new Date(from);
  moment.setUTCHours(Number(hours), Number(minutes), 0, 0);
  const days = (weekday - moment.getUTCDay() + 7) % 7;
  moment.setUTCDate(moment.getUTCDate() + days);
  if (moment <= from) moment.setUTCDate(moment.getUTCDate() + 7);
  return moment;
}

/** The birthday of somebody who has one so many days after `from`; null where `said` is not such as `in 3d`. */
export function birthdayIn(said: unknown, from: Date): string | null {
  const [, lasting] = /^in (\d{1,6}[dw])$/.exec(String(said)) ?? [];
  if (lasting === undefined) return null;
  const day = new Date(from.getTime() + durationMs(lasting)!).toISOString().slice(5, 10);
  // 1992 had a 29th of February.
  return `1992-${day}`;
}
