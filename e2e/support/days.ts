/** The day it is in that zone, or was so many days ago. */
export const dayIn = (zone: string, daysAgo = 0): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(Date.now() - daysAgo * 86_400_000);

/** Walks `walk` again where midnight of the zone came in between: what it makes and what it reads are of one day. */
export async function onOneDay(
  walk: (today: string) => Promise<void>,
  zone = 'UTC',
): Promise<void> {
  const today = dayIn(zone);
  try {
    await walk(today);
  } catch (error) {
    if (dayIn(zone) === today) throw error;
  }
  if (dayIn(zone) !== today) await onOneDay(walk, zone);
}
