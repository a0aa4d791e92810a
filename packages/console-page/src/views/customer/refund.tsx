import type { Event, Laurel } from '@laurel/client';
import type { RefundLinkState } from '@laurel/contract';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { DecimalField } from '../../parts/decimal-field';
import { Loaded } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Sheet } from '../../parts/sheet';
import { useToast } from '../../parts/toast';
import { useWish } from '../../parts/wish';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';
import { MOVED } from './moved';

const PAGE = 100;

/** A purchase that can be given back: it was paid, and by somebody with a card. */
export type Purchase = Event & { pass_id: string; client_id: string; amount: number };

export const isPurchase = (event: Event): event is Purchase =>
  event.event_category === 'transaction' &&
  event.event_type === 'purchase' &&
  event.pass_id !== null &&
  event.client_id !== null &&
  Boolean(event.amount);

/** Why nothing of what a purchase brought was taken back for a refund of it. */
type Unlinked = Exclude<RefundLinkState, 'linked'>;

/** A purchase given back, whole or in part: rules, tiers and figures follow as they followed the purchase. */
export function RefundPurchase({
  sale,
  onClose,
}: {
  sale: Purchase;
  onClose: () => void;
}): ReactNode {
  const { say } = useConsole().language;
  const [unlinked, setUnlinked] = useState<Unlinked | null>(null);
  // Asked anew each time: what was left a moment ago may be given back by now.
  const [openedAt] = useState(Date.now);
  const left = useAsk(['events', sale.client_id, 'left', sale.id, openedAt], (laurel) =>
    leftOf(laurel, sale),
  );
  return (
    <Sheet title={say('refund')} onClose={onClose}>
      {unlinked ? (
        <Notice kind="bad">{say(`refund.${unlinked}`)}</Notice>
      ) : (
        <Loaded query={left}>
          {(most) =>
            most ? (
              <RefundForm sale={sale} most={most} onUnlinked={setUnlinked} onClose={onClose} />
            ) : (
              <Notice kind="warn">{say(most === null ? 'refund.gone' : 'refund.none')}</Notice>
            )
          }
        </Loaded>
      )}
    </Sheet>
  );
}

function RefundForm({
  sale,
  most,
  onUnlinked,
  onClose,
}: {
  sale: Purchase;
  most: number;
  /** It was recorded, and came too late for the purchase. */
  onUnlinked: (link: Unlinked) => void;
  onClose: () => void;
}): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const toast = useToast();
  const [amount, setAmount] = useState<number | null>(most);
  const money = (value: number) => format.money(value, sale.currency);
  const wish = useWish(
    (body: { amount: number }, options) =>
      laurel.events.record(
        {
          ...body,
          pass_id: sale.pass_id,
          event_category: 'transaction',
          event_type: 'refund',
          currency: sale.currency!,
          original_external_id: sale.id,
        },
        options,
      ),
    ({ refund_link }) => {
      forget(...MOVED);
      if (refund_link !== 'linked') return onUnlinked(refund_link ?? 'not_found');
      toast({ text: say('refund.done') });
      onClose();
    },
  );
  const isTooMuch = amount !== null && amount > most;
  const isReady = amount !== null && amount > 0 && !isTooMuch;
  return (
    <WishForm
      wish={wish}
      onSend={() => {
        if (isReady) void wish.send({ amount });
      }}
      button={isReady ? say('refund.go', { amount: money(amount) }) : say('refund')}
      missing={isReady ? [] : [say('visits.amount')]}
      fields={['amount']}
    >
      <p>
        {say('refund.text', {
          amount: money(sale.amount),
          when: format.moment(sale.event_timestamp),
        })}
      </p>
      <DecimalField
        label={say('visits.amount')}
        unit={sale.currency ?? undefined}
        required
        value={amount}
        error={isTooMuch ? say('wrong.atMost', { limit: most }) : troubleOf(wish.refused, 'amount')}
        onChange={setAmount}
      />
    </WishForm>
  );
}

/** What of a purchase can still be given back; null where the platform does not find it. */
async function leftOf(laurel: Laurel, sale: Purchase): Promise<number | null> {
  const { link, left } = (await foreseen(laurel, sale)) ?? {};
  if (link === 'not_found') return null;
  return left ?? reckoned(laurel, sale);
}

/** What the platform says to a refund of the whole; undefined where it cannot be asked. */
async function foreseen(laurel: Laurel, { id, client_id, amount, currency }: Purchase) {
  try {
    const { refund } = await laurel.automations.simulate({
      client_id,
      event: {
        trigger_type: 'transaction',
        event_type: 'refund',
        amount,
        currency,
        original_external_id: id,
      },
      // What rules would say to it is not asked.
      rule_ids: [],
    });
    return refund;
  } catch {
    return undefined;
  }
}

/** By the refunds that name the purchase as it is called here: of other names, and of others with it, only the platform knows. */
async function reckoned(laurel: Laurel, sale: Purchase): Promise<number> {
  const refunds = laurel.events.listForClient(sale.client_id, {
    event_type: 'refund',
    limit: PAGE,
  });
  const names = [sale.id, sale.external_id];
  let given = 0;
  for await (const { original_external_id, refund_link, amount } of refunds)
    if (refund_link === 'linked' && original_external_id && names.includes(original_external_id))
      given += amount ?? 0;
  // With as many decimals as amounts have.
  return Math.max(0, Number((sale.amount - given).toFixed(4)));
}
