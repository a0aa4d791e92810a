import { Button, Notice } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useTill } from '../context';
import { isLate, isTooOld, mayGive, needsLook, type Wish, waiting } from '../queue/machine';
import type { Outcome } from '../queue/queue';
import { sayProblem } from '../say';

/** What waits for the network, and what a person has to decide about. */
export function Wishes({
  onBack,
  onGive,
}: {
  onBack: () => void;
  /** It was not done for its card, and is to be done for another. */
  onGive: (wish: Wish) => void;
}): VNode {
  const { language, queue, wishes } = useTill();
  const { say } = language;
  const [isBusy, setBusy] = useState(false);
  const [told, setTold] = useState<string | null>(null);
  const now = Date.now();
  const [open, kept] = [needsLook(wishes, now), waiting(wishes, now)];
  const during = (work: Promise<unknown>) => {
    setBusy(true);
    setTold(null);
    void work.finally(() => setBusy(false));
  };
  // A cashier who asks again stands before the customer: that it is gone from the list does not say what became of it.
  const askAgain = async ({ key, title, name, code }: Wish): Promise<void> => {
    const outcome: Outcome = await queue.askAgain(key);
    if (outcome.state === 'done') setTold(`${say('done.title')}: ${title} · ${name ?? code}`);
  };
  const withdraw = async (key: string): Promise<void> => {
    if (!(await queue.withdraw(key))) setTold(say('done.sentByNow'));
  };
  return (
    <>
      <h1 tabIndex={-1}>{say('queue.title')}</h1>
      {told !== null && <Notice>{told}</Notice>}
      {open.length === 0 && kept.length === 0 && <p>{say('queue.empty')}</p>}
      {open.length > 0 && (
        <section class="stack">
          <h2>{say('queue.open')}</h2>
          <ul class="list">
            {open.map((wish) => (
              <li key={wish.key} class="card stack">
                <Told wish={wish} />
                <p class="trouble">{why(wish)}</p>
                <div class="row">
                  {!isTooOld(wish, now) && (
                    <Button
                      type="button"
                      kind="quiet"
                      isBusy={isBusy}
                      onClick={() => during(askAgain(wish))}
                    >
                      {say('queue.again')}
                    </Button>
                  )}
                  {mayGive(wish) && (
                    <Button type="button" kind="quiet" onClick={() => onGive(wish)}>
                      {say('give.offer')}
                    </Button>
                  )}
                  <Button type="button" kind="link" onClick={() => during(queue.dismiss(wish.key))}>
                    {say('queue.dismiss')}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {kept.length > 0 && (
        <section class="stack">
          <h2>{say('queue.kept')}</h2>
          {isLate(wishes, now) && <p class="trouble">{say('queue.late')}</p>}
          <ul class="list">
            {kept.map((wish) => (
              <li key={wish.key} class="card stack">
                <Told wish={wish} />
                {wish.passId === null && (
                  <Button
                    type="button"
                    kind="link"
                    isBusy={isBusy}
                    onClick={() => during(withdraw(wish.key))}
                  >
                    {say('done.withdraw')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
          <Button type="button" isBusy={isBusy} onClick={() => during(queue.drain())}>
            {say('queue.send')}
          </Button>
        </section>
      )}
      <Button type="button" kind="link" onClick={onBack}>
        {say('back')}
      </Button>
    </>
  );

  function why(wish: Wish): string {
    if (wish.state === 'refused' && wish.problem) return sayProblem(language, wish.problem);
    return say(wish.state === 'unsure' ? 'queue.unsure' : 'queue.tooOld');
  }
}

function Told({ wish: { title, name, code, at } }: { wish: Wish }): VNode {
  const { moment } = useTill().language;
  return (
    <p>
      <strong>{title}</strong>
      <br />
      <span class="hint">
        {name ?? code} · <time dateTime={new Date(at).toISOString()}>{moment(new Date(at))}</time>
      </span>
    </p>
  );
}
