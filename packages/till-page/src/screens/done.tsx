import { Button, Notice } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useTill } from '../context';
import { sayProblem, sayUnits } from '../say';
import type { Operation, Undone, Wallet } from '../shapes';
import type { Finished } from './counter';
import { TakeBack } from './take-back';

/** Rules earn after the action has answered; the balance is looked at this long after it. */
const LOOKS_MS = [400, 1_000, 2_000, 4_000];

/** What became of it, large; the next card is one tap away. */
export function Done({ finished, onNext }: { finished: Finished; onNext: () => void }): VNode {
  const { language } = useTill();
  const { say } = language;
  const { outcome, title } = finished;
  const [undone, setUndone] = useState<Undone | null>(null);
  if (undone)
    return (
      <>
        <h1 tabIndex={-1} class="verdict" ref={(heading) => heading?.focus()}>
          {say('undo.done')}
        </h1>
        <p class="lead">{title}</p>
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
      {outcome.state === 'done' && <Balances finished={finished} now={outcome.executed.balances} />}
      {outcome.state === 'done' && <Coupon result={outcome.executed.result} />}
      {outcome.state === 'kept' && <p>{say('done.kept.text')}</p>}
      {outcome.state === 'unsure' && <Notice>{say('done.unsure.text')}</Notice>}
      {outcome.state === 'refused' && (
        <Notice kind="bad">{sayProblem(language, outcome.problem)}</Notice>
      )}
      <Button type="button" onClick={onNext}>
        {say('done.next')}
      </Button>
      {outcome.state === 'done' && <Undo finished={finished} onUndone={setUndone} />}
    </>
  );
}

/** The way back from what was done a moment ago, where there is one: this phone's last such operation on this card. */
function Undo({
  finished: { card, actionId },
  onUndone,
}: {
  finished: Finished;
  onUndone: (undone: Undone) => void;
}): VNode | null {
  const { api } = useTill();
  const [operation, setOperation] = useState<Operation | null>(null);
  useEffect(() => {
    api.recent().then(
      (all) =>
        setOperation(
          all.find(
            ({ action_id, pass_id }) =>
              action_id === actionId && (!card.pass || pass_id === card.pass.id),
          ) ?? null,
        ),
      // Nothing is lost: the list of what was done lately offers it, too.
      () => undefined,
    );
  }, []);
  if (!operation?.undoable) return null;
  return <TakeBack operationId={operation.id} onUndone={onUndone} />;
}

/** The balances after it, with what has come since: a purchase earns through rules, a moment later. */
function Balances({
  finished,
  now,
  isBefore = false,
}: {
  finished: Finished;
  now: Wallet[];
  /** All is as it was: there is no change to tell. */
  isBefore?: boolean;
}): VNode {
  const { language, api, app } = useTill();
  const [wallets, setWallets] = useState(now);
  const { pass } = finished.card;
  const before = pass?.wallets ?? now;
  useEffect(() => {
    if (!pass) return;
    const timers = LOOKS_MS.map((wait) =>
      setTimeout(() => {
        api.pass(pass.id).then(
          ({ wallets: later }) => setWallets(later),
          () => undefined,
        );
      }, wait),
    );
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <ul class="balances" aria-live="polite">
      {wallets.map(({ wallet_type_code: code, active_balance: amount }) => {
        const type = app.wallet_types.find((each) => each.code === code);
        const was = before.find((each) => each.wallet_type_code === code)?.active_balance ?? 0;
        const change = Math.round((amount - was) * 10_000) / 10_000;
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
