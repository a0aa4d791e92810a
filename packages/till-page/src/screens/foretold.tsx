import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useTill } from '../context';
import { rounded } from '../pad';
import { sayUnits } from '../say';
import type { Action, Quote } from '../shapes';
import type { Card } from './card';

/** A sale can be booked without knowing what it brings. */
const foretellsNothing = (): undefined => undefined;

/** A number that is still being typed is not asked about. */
const TYPING_MS = 400;

interface Told {
  points: ReadonlyMap<string, number>;
  /** There may be more. */
  isCut: boolean;
}
const NOTHING: Told = { points: new Map(), isCut: false };

/** What the shop's rules would give for a purchase; nothing where that is unknown. */
export function Foretold({
  card: { pass },
  action,
  amount,
}: {
  card: Card;
  action: Action;
  amount: number;
}): VNode {
  const { language, api, app, currency } = useTill();
  const [{ points, isCut }, setTold] = useState<Told>(NOTHING);
  useEffect(() => {
    setTold(NOTHING);
    if (!pass || amount <= 0) return;
    let isGone = false;
    const timer = setTimeout(() => {
      api
        .quote(action.id, pass.id, { amount, currency })
        .then((quote) => isGone || setTold(toldBy(quote)), foretellsNothing);
    }, TYPING_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [amount]);
  const amounts = [...points].map(([code, sum]) =>
    sayUnits(
      language,
      sum,
      app.wallet_types.find((each) => each.code === code),
    ),
  );
  const words = isCut ? 'entry.foretoldInPart' : 'entry.foretold';
  return (
    <p class="hint foretold" role="status">
      {amounts.length > 0 && language.say(words, { amount: amounts.join(' + ') })}
    </p>
  );
}

const toldBy = ({ effects, is_cut }: Quote): Told => ({ points: sumsOf(effects), isCut: is_cut });

/** Points by currency, of those that come. */
function sumsOf(effects: Quote['effects']): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { wallet_type_code: code, points } of effects)
    if (code !== null && points !== null) sums.set(code, rounded((sums.get(code) ?? 0) + points));
  return new Map([...sums].filter(([, sum]) => sum > 0));
}
