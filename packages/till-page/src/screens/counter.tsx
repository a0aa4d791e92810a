import { Button, newKey } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { mayWait } from '../actions';
import { useTill } from '../context';
import { isLate, needsLook, type Wish, waiting } from '../queue/machine';
import { type Outcome, QueueFull } from '../queue/queue';
import { nameOf } from '../say';
import type { Action, CouponVerdict } from '../shapes';
import { hasUpdate, onUpdate, takeUpdate } from '../update';
import type { Card, Finished } from './card';
import { Coupon } from './coupon';
import { Customer } from './customer';
import { Done } from './done';
import { Entry } from './entry';
import { Give } from './give';
import { Menu } from './menu';
import { Recent } from './recent';
import { Scan } from './scan';
import { SignUp } from './sign-up';
import { Wishes } from './wishes';

type Screen =
  | { at: 'scan'; code?: string }
  | { at: 'customer'; card: Card }
  | { at: 'coupon'; coupon: CouponVerdict }
  | { at: 'entry'; card: Card; action: Action }
  | { at: 'done'; finished: Finished }
  | { at: 'wishes' }
  | { at: 'whose'; wish: Wish }
  | { at: 'give'; wish: Wish; card: Card }
  | { at: 'recent' }
  | { at: 'sign-up' };

/** The till at work: scan, customer, amount, done, and again. */
export function Counter({ shop, onLeave }: { shop: string; onLeave: () => Promise<void> }): VNode {
  const { language, queue, wishes, isOnline } = useTill();
  const { say } = language;
  const [screen, setScreen] = useState<Screen>({ at: 'scan' });
  const [trouble, setTrouble] = useState<string | null>(null);
  const here = useRef(screen);
  /** Goes on from this screen. What comes once it was left must not take the next customer's away. */
  const show = (next: Screen) => {
    if (here.current !== screen) return;
    here.current = next;
    setTrouble(null);
    setScreen(next);
  };
  const [isNewer, setNewer] = useState(hasUpdate);
  useEffect(() => onUpdate(() => setNewer(true)), []);
  useEffect(() => {
    document.querySelector<HTMLElement>('h1')?.focus();
  }, [screen.at]);

  /** One wish is one key, however often its button is pressed or its request sent. */
  async function run(
    { card, action }: { card: Card; action: Action },
    data: Record<string, unknown>,
    title: string,
  ): Promise<void> {
    const wish: Wish = {
      key: newKey(),
      code: card.code,
      name: card.pass ? nameOf(language, card.pass.client) : null,
      passId: card.pass?.id ?? null,
      actionId: action.id,
      title,
      isPurchase: action.action_type === 'add_transaction',
      data,
      at: Date.now(),
      mayWait: mayWait(action),
      state: 'waiting',
    };
    setTrouble(null);
    try {
      const outcome = await queue.add(wish);
      show({ at: 'done', finished: { card, title, key: wish.key, outcome } });
    } catch (error) {
      setTrouble(say(error instanceof QueueFull ? 'queue.full' : 'refused.other'));
    }
  }
  const toScan = () => show({ at: 'scan' });
  const toWishes = () => show({ at: 'wishes' });
  const toCustomer = (card: Card) => show({ at: 'customer', card });
  const now = Date.now();
  // What is being read right now needs no other look.
  const read = screen.at === 'done' ? screen.finished.key : null;
  const unread = needsLook(wishes, now).filter(
    ({ key, state }) => key !== read || state !== 'refused',
  );
  const [kept, open] = [waiting(wishes, now).length, unread.length];
  return (
    <>
      <header class="bar">
        {/* Of a customer there is more than a screen: the way back would stand below it. */}
        {screen.at === 'customer' && (
          <button type="button" class="bar-back" onClick={toScan}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M15 5l-7 7 7 7" />
            </svg>
            <span class="visually-hidden">{say('back')}</span>
          </button>
        )}
        <p class="bar-shop">{shop}</p>
        {!isOnline && <p class="chip chip-bad">{say('offline')}</p>}
        {kept + open > 0 && (
          <button
            type="button"
            class={`chip ${open > 0 || isLate(wishes, now) ? 'chip-bad' : ''}`}
            onClick={() => show({ at: 'wishes' })}
          >
            {open > 0 ? say('queue.look', { count: open }) : say('queue.waiting', { count: kept })}
          </button>
        )}
      </header>
      <main class="screen stack">
        {trouble && (
          <p class="notice notice-bad" role="alert">
            {trouble}
          </p>
        )}
        {screen.at === 'scan' && (
          <>
            {isNewer && (
              <div class="notice row">
                <p>{say('update.text')}</p>
                <Button type="button" onClick={takeUpdate}>
                  {say('update.take')}
                </Button>
              </div>
            )}
            <Scan
              title={say('scan.title')}
              code={screen.code}
              onCard={toCustomer}
              onCoupon={(coupon) => show({ at: 'coupon', coupon })}
            >
              <Menu
                onRecent={() => show({ at: 'recent' })}
                onSignUp={() => show({ at: 'sign-up' })}
                onLeave={onLeave}
              />
            </Scan>
          </>
        )}
        {screen.at === 'coupon' && <Coupon coupon={screen.coupon} onNext={toScan} />}
        {screen.at === 'customer' && (
          <Customer
            card={screen.card}
            onEntered={(action, data, title) => run({ card: screen.card, action }, data, title)}
            onAction={(action) => show({ at: 'entry', card: screen.card, action })}
            onReward={(action, { id, name }) =>
              run({ card: screen.card, action }, { reward_id: id }, `${action.name}: ${name}`)
            }
          />
        )}
        {screen.at === 'entry' && (
          <Entry
            card={screen.card}
            action={screen.action}
            onSubmit={(data, title) => run(screen, data, title)}
            onBack={() => toCustomer(screen.card)}
          />
        )}
        {screen.at === 'done' && (
          <Done
            finished={screen.finished}
            onNext={toScan}
            onCode={(code) => show({ at: 'scan', code })}
          />
        )}
        {screen.at === 'recent' && <Recent onBack={toScan} />}
        {screen.at === 'sign-up' && (
          <SignUp
            onServe={(pass) => toCustomer({ code: pass.barcode_value, pass })}
            onBack={toScan}
          />
        )}
        {screen.at === 'wishes' && (
          <Wishes onBack={toScan} onGive={(wish) => show({ at: 'whose', wish })} />
        )}
        {screen.at === 'whose' && (
          <Scan
            title={say('give.whose', { title: screen.wish.title })}
            onCard={(card) => show({ at: 'give', wish: screen.wish, card })}
          >
            <Button type="button" kind="link" onClick={toWishes}>
              {say('back')}
            </Button>
          </Scan>
        )}
        {screen.at === 'give' && (
          <Give
            wish={screen.wish}
            card={screen.card}
            onGiven={(outcome, key) =>
              outcome ? show({ at: 'done', finished: given(screen, key, outcome) }) : toWishes()
            }
            onBack={() => show({ at: 'whose', wish: screen.wish })}
          />
        )}
      </main>
    </>
  );
}

const given = (
  { wish, card }: { wish: Wish; card: Card },
  key: string,
  outcome: Outcome,
): Finished => ({ card, title: wish.title, key, outcome });
