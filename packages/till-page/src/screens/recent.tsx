import { Button, Notice } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useTill } from '../context';
import { sayRefused, sayUnits } from '../say';
import type { Operation } from '../shapes';
import { TakeBack } from './take-back';

/** What this phone did lately, newest first, with the way back as long as there is one. */
export function Recent({ onBack }: { onBack: () => void }): VNode {
  const { language, api, isOnline, wishes } = useTill();
  const { say } = language;
  const [operations, setOperations] = useState<Operation[] | null>(null);
  const [trouble, setTrouble] = useState<unknown>(null);
  const turn = useRef(0);
  const load = () => {
    turn.current += 1;
    const mine = turn.current;
    // An answer that was overtaken may still offer to take back what was taken back since.
    const latest =
      <T,>(take: (answer: T) => void) =>
      (answer: T) => {
        if (turn.current === mine) take(answer);
      };
    setTrouble(null);
    api.recent().then(latest(setOperations), latest(setTrouble));
  };
  // Asked again when the network is back, and when something that waited was sent.
  useEffect(() => {
    if (isOnline || !operations) load();
  }, [isOnline, wishes.length]);
  return (
    <>
      <h1 tabIndex={-1}>{say('recent.title')}</h1>
      {trouble !== null && (
        <>
          <Notice kind="bad">{sayRefused(language, trouble)}</Notice>
          <Button type="button" kind="quiet" onClick={load}>
            {say('retry')}
          </Button>
        </>
      )}
      {!operations && trouble === null && <p role="status">{say('loading')}</p>}
      {operations?.length === 0 && <p>{say('recent.empty')}</p>}
      <ul class="list">
        {operations?.map((operation) => (
          <li key={operation.id} class="card stack">
            <Told operation={operation} />
            {operation.undoable && <TakeBack operationId={operation.id} onUndone={load} />}
          </li>
        ))}
      </ul>
      <Button type="button" kind="link" onClick={onBack}>
        {say('back')}
      </Button>
    </>
  );
}

function Told({ operation }: { operation: Operation }): VNode {
  const { language, app } = useTill();
  const { say, moment, money } = language;
  const { action_name, client_name, amount, currency, wallet_type_code, at, undone_at, undoable } =
    operation;
  const type = app.wallet_types.find(({ code }) => code === wallet_type_code);
  const shown =
    amount !== null && (currency ? money(amount, currency) : sayUnits(language, amount, type));
  return (
    <p>
      <span class="told">
        <strong>{action_name}</strong>
        {shown && <span class={undone_at ? 'gone' : ''}>{shown}</span>}
      </span>
      <span class="hint">
        {client_name ?? say('customer.nameless')} ·{' '}
        <time dateTime={at}>{moment(new Date(at))}</time>
        {undone_at && ` · ${say('recent.undone')}`}
        {!undone_at && !undoable && ` · ${say('recent.late')}`}
      </span>
    </p>
  );
}
