import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useTill } from '../context';
import { toHandOver } from '../handover';
import type { Redemption } from '../shapes';
import { Turn } from './turn';

/** Without it the till works as before: the card is what most come for. */
const handsOverNothing = (): undefined => undefined;

/** @param passId null where there was no network to ask about the card */
export function useHandover(passId: string | null): readonly Redemption[] {
  const { api } = useTill();
  const [redemptions, setRedemptions] = useState<readonly Redemption[]>([]);
  useEffect(() => {
    if (passId)
      api.redemptions(passId).then((all) => setRedemptions(toHandOver(all)), handsOverNothing);
  }, [passId]);
  return redemptions;
}

/** What the customer has redeemed and comes for: handed over once, and then no screen of a phone brings it again. */
export function Handover({
  id,
  redemptions,
}: {
  id: string;
  redemptions: readonly Redemption[];
}): VNode {
  const { say, locale } = useTill().language;
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <section class="stack" aria-label={say('handover.title')}>
      <h2 id={id} tabIndex={-1}>
        {say('handover.title')}
      </h2>
      <ul class="list">
        {redemptions.map(({ id: redemptionId, reward_name, redemption_date: date }) => (
          <li key={redemptionId} class="card stack">
            <p class="told">
              <strong>{reward_name}</strong>
              <time class="hint" dateTime={date}>
                {moments.format(new Date(date))}
              </time>
            </p>
            <Turn
              redemptionId={redemptionId}
              offer={say('handover.offer')}
              taken={say('handover.taken')}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
