/** So long a card must be out of the picture before it counts as shown again: a hand that trembles loses it for moments. */
const AWAY_MS = 1_500;

/**
 * Whether a code that is seen is news: whatever lies before the camera is said once, and again when it was taken away and
 * shown anew, as the first look may have failed.
 */
export function createOnce(): (code: string | null, now: number) => boolean {
  let last: { code: string; at: number } | null = null;
  return (code, now) => {
    if (last && now - last.at > AWAY_MS) last = null;
    if (code === null) return false;
    const isNews = code !== last?.code;
    last = { code, at: now };
    return isNews;
  };
}
