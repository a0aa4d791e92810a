import { Button, Notice, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useTill } from '../context';
import { useHandScanner } from '../hand-scanner';
import { rounded } from '../pad';
import { nameOf, sayProblem, sayUnits } from '../say';
import type { Followed, Operation, Undone, Wallet } from '../shapes';
import type { Finished } from './card';
import { useGoOn } from './go-on';
import { TakeBack } from './take-back';

/** Nothing is lost: the list of what was done lately offers the way back, too. */
const offeredElsewhere = (): undefined => undefined;
const nothingLately = (): Operation[] => [];

/** Rules earn after the action has answered: so long each look waits for them, and so often it looks. */
const WAIT_SECONDS = 3;
const LOOKS_MAX = 5;

/** What became of it, large; the next card is one tap away. */
export function Done({
  finished,
  onNext,
  onCode,
}: {
  finished: Finished;
  onNext: () => void;
  /** The next card was scanned by now. */
  onCode: (code: string) => void;
}): VNode {
  const { language, queue } = useTill();
  const { say } = language;
  const { card, outcome, title, key } = finished;
  const whose = card.pass ? nameOf(language, card.pass.client) : card.code;
  const [undone, setUndone] = useState<Undone | null>(null);
  const { operation, followed } = useOutcome(finished);
  // A refusal that was read here is dealt with: only what went unseen is kept to be looked at.
  const settle = () => {
    if (outcome.state === 'refused') void queue.dismiss(key);
  };
  const next = () => {
    settle();
    onNext();
  };
  useHandScanner((code) => {
    settle();
    onCode(code);
  });
  const { isGoing, mayGo } = useGoOn(isAllTold(finished, followed) && !undone, onNext);
  if (undone)
    return (
      <>
        <h1 tabIndex={-1} class="verdict" ref={(heading) => heading?.focus()}>
          {say('undo.done')}
        </h1>
        <p class="lead">{title}</p>
        <p class="whose">{whose}</p>
        <Balances finished={finished} now={undone.balances} isBefore />
        <Button type="button" onClick={onNext}>
          {say('done.next')}
        </Button>
      </>
    );
  const heading = {
    done: 'done.title',
    kept: 'done.kept',
    unsure: 'done.unsure',
    refused: 'done.refused',
  } as const;
  return (
    <>
      <h1 tabIndex={-1} class={`verdict verdict-${outcome.state}`}>
        {say(heading[outcome.state])}
      </h1>
      <p class="lead">{title}</p>
      <p class="whose">{whose}</p>
      {outcome.state === 'done' && (
        <Balances finished={finished} now={outcome.executed.balances} followed={followed} />
      )}
      <Earned finished={finished} followed={followed} />
      {outcome.state === 'done' && <Coupon result={outcome.executed.result} />}
      {outcome.state === 'kept' && <p>{say('done.kept.text')}</p>}
      {outcome.state === 'unsure' && <Notice>{say('done.unsure.text')}</Notice>}
      {outcome.state === 'refused' && (
        <Notice kind="bad">{sayProblem(language, outcome.problem)}</Notice>
      )}
      <Button type="button" onClick={next}>
        {say('done.next')}
      </Button>
      {/* It keeps its place: a touch hides it, and must still meet the button below that it was meant for. */}
      {mayGo && (
        <p class="hint going-on" role="status" data-going={isGoing}>
          {say('done.goingOn')}
        </p>
      )}
      {outcome.state === 'done' && <Undo operation={operation} onUndone={setUndone} />}
      {outcome.state === 'kept' && !card.pass && <Withdraw wishKey={key} onWithdrawn={onNext} />}
    </>
  );
}

/** Whether nothing is to come any more, and nothing is to be read out, typed or put right. */
function isAllTold({ outcome }: Finished, followed: Followed | null): boolean {
  if (outcome.state === 'kept') return true;
  if (outcome.state !== 'done' || followed?.state !== 'done') return false;
  if (followed.failed_rules.length > 0) return false;
  const { coupon } = outcome.executed.result;
  return !coupon && followed.rewards.every(({ coupon_code: code }) => code === null);
}

/** The way back from what was done a moment ago, where there is one. */
function Undo({
  operation,
  onUndone,
}: {
  operation: Operation | null;
  onUndone: (undone: Undone) => void;
}): VNode | null {
  if (!operation?.undoable) return null;
  return <TakeBack operationId={operation.id} onUndone={onUndone} />;
}

/** The way back from what waits for a network, as long as it was surely not sent. */
function Withdraw({ wishKey, onWithdrawn }: { wishKey: string; onWithdrawn: () => void }): VNode {
  const { language, queue } = useTill();
  const { say } = language;
  const [isLate, setLate] = useState(false);
  const { isBusy, submit } = useForm(async () => {
    if (await queue.withdraw(wishKey)) onWithdrawn();
    else setLate(true);
  });
  if (isLate) return <Notice kind="bad">{say('done.sentByNow')}</Notice>;
  return (
    <form onSubmit={submit}>
      <Button kind="quiet" isBusy={isBusy}>
        {say('done.withdraw')}
      </Button>
    </form>
  );
}

/**
 * What was done, by the id that its answer named, and what rules made of it, as soon as they have. The newest of the same
 * action on the same card may be another one: of this phone, too, as what waited is sent when it can be.
 */
function useOutcome({ outcome }: Finished): {
  operation: Operation | null;
  followed: Followed | null;
} {
  const { api } = useTill();
  const [operation, setOperation] = useState<Operation | null>(null);
  const [followed, setFollowed] = useState<Followed | null>(null);
  const id = outcome.state === 'done' ? outcome.executed.operation_id : null;
  useEffect(() => {
    let isGone = false;
    async function look(own: string): Promise<void> {
      const all = await api.recent().catch(nothingLately);
      if (!isGone) setOperation(all.find((one) => one.id === own) ?? null);
      for (let looks = 0; looks < LOOKS_MAX && !isGone; looks += 1) {
        const found = await api.follow(own, WAIT_SECONDS);
        if (!isGone) setFollowed(found);
        if (found.state === 'done') return;
      }
    }
    if (id !== null) look(id).catch(offeredElsewhere);
    return () => {
      isGone = true;
    };
  }, []);
  return { operation, followed };
}

/** What rules gave besides points, and what they did not give. */
function Earned({
  finished: { card, outcome },
  followed,
}: {
  finished: Finished;
  followed: Followed | null;
}): VNode | null {
  const { say } = useTill().language;
  if (outcome.state !== 'done') return null;
  const isSale = outcome.executed.action_type === 'add_transaction';
  const tier = followed?.tier?.name;
  const isPromoted = card.pass !== null && tier !== undefined && tier !== card.pass.tier?.name;
  const isCounted = followed?.state === 'done';
  const isNothing = isCounted && followed.entries.length === 0 && followed.rewards.length === 0;
  return (
    <div class="stack" role="status">
      {/* It keeps its place once all is counted: the buttons below it stand under somebody's thumb by then. */}
      {isSale && (
        <p class="hint counting" data-counted={isCounted && !isNothing}>
          {say(isNothing ? 'done.nothing' : 'done.counting')}
        </p>
      )}
      {followed?.failed_rules.map((rule) => (
        <Notice key={rule}>{say('done.failed', { rule })}</Notice>
      ))}
      {isPromoted && <p class="chip">{say('done.tier', { tier })}</p>}
      {followed?.rewards.map(({ name, redemption_id, coupon_code: code }) => (
        <p key={redemption_id}>
          {say('done.reward', { reward: name })} {code !== null && <strong>{code}</strong>}
        </p>
      ))}
    </div>
  );
}

/** The balances after it, with what it moved; what a purchase earned is known once rules have run. */
function Balances({
  finished,
  now,
  followed = null,
  isBefore = false,
}: {
  finished: Finished;
  now: Wallet[];
  followed?: Followed | null;
  /** All is as it was: there is no change to tell. */
  isBefore?: boolean;
}): VNode {
  const { language, app } = useTill();
  const wallets = followed?.balances ?? now;
  // A sale moves nothing but by its entries: a balance that differs before they are there is somebody else's doing.
  const { outcome } = finished;
  const isSale = outcome.state === 'done' && outcome.executed.action_type === 'add_transaction';
  const before = finished.card.pass?.wallets ?? now;
  return (
    <ul class="balances" aria-live="polite">
      {wallets.map(({ wallet_type_code: code, active_balance: amount }) => {
        const type = app.wallet_types.find((each) => each.code === code);
        const was = before.find((each) => each.wallet_type_code === code)?.active_balance ?? 0;
        const moved = followed?.entries.filter((entry) => entry.wallet_type_code === code) ?? [];
        // Pending points are earned and not yet in the balance: the entries know.
        const change = rounded(
          moved.length > 0
            ? moved.reduce((sum, { amount: points }) => sum + points, 0)
            : isSale
              ? 0
              : amount - was,
        );
        return (
          <li key={code}>
            {change !== 0 && !isBefore && (
              <strong class="change">
                {change > 0 ? '+' : '−'}
                {sayUnits(language, Math.abs(change), type)}
              </strong>
            )}
            {sayUnits(language, amount, type)}
          </li>
        );
      })}
    </ul>
  );
}

/** The code of a coupon that was redeemed for, where there is one. */
function Coupon({ result }: { result: Record<string, unknown> }): VNode | null {
  const { say } = useTill().language;
  const { code } = (result.coupon ?? {}) as { code?: string };
  if (code === undefined) return null;
  return (
    <p class="coupon">
      {say('done.coupon')} <strong>{code}</strong>
    </p>
  );
}
