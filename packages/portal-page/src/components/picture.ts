import type { Reward } from '../shapes.ts';
import { html, useEffect, useState, type VNode } from '../vendor/preact.js';

/** Where many ask at once some pictures are refused for a moment. Each try stands in the console of those who look there. */
const TRY_AGAIN_MS = [3_000, 9_000];
/** What could not be had is not asked for at every turn: how often it was, and from when on it is asked for again. */
const failures = new Map<string, { count: number; againAt: number }>();

/** Where a picture is shown twice, each try fails twice: the second is heard while the next try is still to come. */
function noteFailure(url: string): void {
  const { count, againAt } = failures.get(url) ?? { count: 0, againAt: 0 };
  if (againAt > Date.now()) return;
  const waitMs = TRY_AGAIN_MS[count] ?? Number.POSITIVE_INFINITY;
  failures.set(url, { count: count + 1, againAt: Date.now() + waitMs });
}

/** The picture of the reward, or its first letter where there is none, or it cannot be had, or not yet. */
export function Picture({
  reward: { image_url: url, name },
}: {
  reward: Pick<Reward, 'image_url' | 'name'>;
}): VNode {
  const [looks, setLooks] = useState(0);
  const lookAgain = () => setLooks((count) => count + 1);
  const againAt = (url && failures.get(url)?.againAt) || 0;
  useEffect(() => {
    const waitMs = againAt - Date.now();
    if (waitMs <= 0 || !Number.isFinite(waitMs)) return;
    const timer = setTimeout(lookAgain, waitMs);
    return () => clearTimeout(timer);
  }, [againAt, looks]);
  if (url && againAt <= Date.now())
    return html`<img
      class="reward-picture"
      src=${url}
      alt=""
      loading="lazy"
      onLoad=${() => failures.delete(url)}
      onError=${() => {
        noteFailure(url);
        lookAgain();
      }}
    />`;
  return html`<span class="reward-picture reward-letter" aria-hidden="true"
    >${[...name.trim()][0] ?? ''}</span
  >`;
}
