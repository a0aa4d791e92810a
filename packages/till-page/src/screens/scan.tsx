import { Button, Field, Notice, Refused, useForm } from '@laurel/page-kit';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Scanner } from '../camera/scanner';
import { useTill } from '../context';
import { useHandScanner } from '../hand-scanner';
import { nameOf, sayRefused } from '../say';
import type { CouponVerdict, Pass } from '../shapes';
import type { Card } from './card';

/** The camera at once; a name or a code typed instead; a hand scanner's keys at any time. */
export function Scan({
  title,
  code: scanned,
  onCard,
  onCoupon,
  children,
}: {
  title: string;
  /** Of a card that was scanned before there was a place for it. */
  code?: string | undefined;
  onCard: (card: Card) => void;
  /** Left out where only a customer is looked for. */
  onCoupon?: (coupon: CouponVerdict) => void;
  /** What else can be done here. */
  children: ComponentChildren;
}): VNode {
  const { language, api } = useTill();
  const { say } = language;
  const [trouble, setTrouble] = useState<unknown>(null);
  const [found, setFound] = useState<Pass[] | null>(null);

  // A card that is found once somebody has gone elsewhere must not take their screen away.
  const isHere = useRef(true);
  useEffect(
    () => () => {
      isHere.current = false;
    },
    [],
  );
  const open = (card: Card) => {
    if (isHere.current) onCard(card);
  };

  /** @param unknown what to say where it is neither a card nor a coupon; else that the card is not known */
  async function look(code: string, unknown?: Refused): Promise<void> {
    try {
      open({ code, pass: await api.scan(code) });
    } catch (error) {
      // Without a network the card is believed; whether it exists shows when what was wished is sent.
      if (error instanceof Refused && error.status === 0) open({ code, pass: null });
      else if (error instanceof Refused && error.status === 404)
        await lookForCoupon(code, unknown ?? error);
      else setTrouble(error);
    }
  }
  /** What is no card may be a coupon. */
  async function lookForCoupon(code: string, unknown: Refused): Promise<void> {
    if (!onCoupon) return setTrouble(unknown);
    try {
      const coupon = await api.coupon(code);
      if (coupon.reason === 'unknown') setTrouble(unknown);
      else if (isHere.current) onCoupon(coupon);
    } catch (error) {
      setTrouble(error);
    }
  }
  useHandScanner((code) => void look(code));
  useEffect(() => {
    if (scanned !== undefined) void look(scanned);
  }, []);
  const { isBusy, refused, submit } = useForm(async ({ wanted = '' }) => {
    setFound(null);
    const typed = wanted.trim();
    try {
      const passes = await api.search(typed);
      if (passes.length === 0) return await look(typed, new Refused(404, 'NOBODY'));
      setFound(passes);
      setTrouble(null);
    } catch (error) {
      setTrouble(null);
      if (!(error instanceof Refused) || error.status !== 0) throw error;
      // Without a network no customer is found by name; a code is believed as if it was scanned.
      if (!mayBeCode(typed)) throw new Refused(0, 'CODES_ONLY');
      open({ code: typed, pass: null });
    }
  });
  const wrong = trouble ?? refused;
  return (
    <>
      <h1 tabIndex={-1}>{title}</h1>
      <Scanner onFound={(code) => void look(code)} />
      {wrong !== null && <Notice kind="bad">{sayRefused(language, wrong)}</Notice>}
      <search>
        <form onSubmit={submit}>
          <Field
            label={say('scan.type')}
            name="wanted"
            required
            maxLength={255}
            autocapitalize="none"
            autocomplete="off"
            enterKeyHint="search"
          />
          <Button kind="quiet" isBusy={isBusy}>
            {say('scan.find')}
          </Button>
        </form>
      </search>
      {found && (
        <ul class="list" aria-label={say('scan.found')}>
          {found.map((pass) => (
            <li key={pass.id}>
              <button type="button" class="line" onClick={() => void look(pass.barcode_value)}>
                <span>{nameOf(language, pass.client)}</span>
                <span class="hint">{pass.client?.email}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {children}
    </>
  );
}

/** Whether it may stand on a card: names have spaces and no digits. */
const mayBeCode = (typed: string): boolean => /^[^\s@]*\d[^\s@]*$/.test(typed);
