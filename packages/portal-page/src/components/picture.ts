import type { Reward } from '../shapes.ts';
import { html, useState, type VNode } from '../vendor/preact.js';

/** What could not be had once is not asked for at every turn: each try stands in the console of those who look there. */
const broken = new Set<string>();

/** The picture of the reward, or its first letter where there is none or it cannot be had. */
export function Picture({
  reward: { image_url: url, name },
}: {
  reward: Pick<Reward, 'image_url' | 'name'>;
}): VNode {
  const [, setBroken] = useState(false);
  if (url && !broken.has(url))
    return html`<img
      class="reward-picture"
      src=${url}
      alt=""
      loading="lazy"
      onError=${() => {
        broken.add(url);
        setBroken(true);
      }}
    />`;
  return html`<span class="reward-picture reward-letter" aria-hidden="true"
    >${[...name.trim()][0] ?? ''}</span
  >`;
}
