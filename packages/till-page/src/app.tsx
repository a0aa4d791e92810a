import { Button, createPageSession, Notice, Refused, type Send } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createTillApi } from './api';
import { TillContext } from './context';
import { type Known, readKept, writeKept } from './kept';
import type { Language } from './language';
import type { PairingLink } from './pairing-link';
import { waiting } from './queue/machine';
import { createQueue } from './queue/queue';
import type { WishStore } from './queue/store';
import { sayRefused } from './say';
import { Counter } from './screens/counter';
import { Pair } from './screens/pair';
import type { Staff } from './shapes';
import { useOnline, useWishes } from './use-queue';
import { useReturn } from './use-return';

/** Why a phone may be no till now and be one again later: what it knows and what waits is kept until then. */
const PAUSES: readonly (string | undefined)[] = ['app_switched_off', 'app_user_barred'];

/** What it knows is good enough where it cannot ask. */
const keepsWhatItKnows = (): undefined => undefined;

export interface AppProps {
  language: Language;
  store: WishStore;
  /** What the link brought that opened the till. */
  pairing: PairingLink | null;
  send?: Send;
}

export function App({ language, store, pairing, send }: AppProps): VNode {
  const [known, setKnown] = useState<Known | null>(() => (pairing ? null : readKept()));
  const [isStarting, setStarting] = useState(pairing === null);
  const [refused, setRefused] = useState<unknown>(null);
  const [isPairingAnew, setPairingAnew] = useState(false);
  /** Why the shop could not be asked yet by who is signed in: the code that let them in is used up. */
  const [unasked, setUnasked] = useState<unknown>(null);
  /** A code is good once: a phone that is signed out later is not paired by it again. */
  const [link, setLink] = useState(pairing);
  const isPaused = refused instanceof Refused && PAUSES.includes(refused.reason) && !isPairingAnew;
  const { session, api, queue } = useMemo(() => {
    const opened = createPageSession<Staff>({
      place: '/service-api/mobile-app/session',
      carry: (access) => ({ 'X-Mobile-Token': access }),
      onEnded: () => learn(null),
      onRefused: (why) => {
        setRefused(why);
        return PAUSES.includes(why.reason);
      },
      ...(send ? { send } : {}),
    });
    const made = createTillApi({
      async call(...request) {
        const answer = await opened.call<never>(...request);
        setRefused(null);
        return answer;
      },
    });
    return { session: opened, api: made, queue: createQueue({ store, platform: made.platform }) };
  }, []);
  const isOnline = useOnline();
  const wishes = useWishes(queue, known !== null);

  function learn(next: Known | null): void {
    writeKept(next);
    setKnown(next);
  }
  async function askShop({ user, workspace }: Known['staff']): Promise<Known> {
    const [app, settings] = await Promise.all([api.app(workspace.id), api.settings(workspace.id)]);
    return { staff: { user, workspace }, app, currency: settings.default_currency };
  }
  async function enter(staff: Staff): Promise<void> {
    learn(await askShop(staff));
    setUnasked(null);
    setLink(null);
    setPairingAnew(false);
    void queue.drain();
  }
  /** Who is let in where the shop cannot be asked waits for it: what the phone knows may be another's. */
  async function enterAnew(staff: Staff): Promise<void> {
    try {
      await enter(staff);
    } catch (error) {
      learn(null);
      setPairingAnew(false);
      setUnasked(error);
    }
  }
  const isPaired = useRef(known !== null);
  isPaired.current = known !== null;
  useReturn(() => {
    if (!known) return;
    // A phone that was signed out meanwhile is not let in again by a late answer.
    askShop(known.staff).then((next) => isPaired.current && learn(next), keepsWhatItKnows);
  });
  useEffect(() => {
    if (!isStarting) return;
    session
      .resume()
      .then((staff) => (staff ? (known ? enter : enterAnew)(staff) : learn(null)))
      // Without a network the till works with what it knows.
      .catch((error: unknown) => setRefused(error))
      .finally(() => setStarting(false));
  }, []);
  const leave = async () => {
    await session.signOut();
    learn(null);
  };

  if (!known && isStarting)
    return (
      <main class="screen" aria-busy="true">
        <p role="status">{language.say('loading')}</p>
      </main>
    );
  const isWaiting = unasked !== null && !known && !isPairingAnew;
  const trouble = isWaiting ? unasked : refused;
  if (isPaused || isWaiting || (known && !known.app)) {
    const count = waiting(wishes, Date.now()).length;
    return (
      <main class="screen stack">
        <h1>{known?.staff.workspace.name ?? language.say('title')}</h1>
        {!isPaused && !isWaiting && <Notice>{language.say('app.off')}</Notice>}
        {trouble !== null && <Notice kind="bad">{sayRefused(language, trouble)}</Notice>}
        {count > 0 && <Notice>{language.say('app.waiting', { count })}</Notice>}
        <Button type="button" onClick={() => location.reload()}>
          {language.say('retry')}
        </Button>
        {/* Somebody else may take the phone over, and not every phone has a camera that reads codes. */}
        {(isPaused || isWaiting) && (
          <Button type="button" kind="link" onClick={() => setPairingAnew(true)}>
            {language.say('pair.anew')}
          </Button>
        )}
      </main>
    );
  }
  if (isPairingAnew || !known?.app)
    return (
      <Pair
        language={language}
        pairing={isPairingAnew ? null : link}
        waiting={waiting(wishes, Date.now()).length}
        refused={isPairingAnew ? null : refused}
        onPair={async (proof) => enterAnew(await session.signIn(proof))}
        {...(isPairingAnew ? { onBack: () => location.reload() } : {})}
      />
    );
  const till = { language, api, queue, app: known.app, currency: known.currency, isOnline, wishes };
  return (
    <TillContext.Provider value={till}>
      <Counter shop={known.staff.workspace.name} onLeave={leave} />
    </TillContext.Provider>
  );
}
