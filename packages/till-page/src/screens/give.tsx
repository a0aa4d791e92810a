import { Button, newKey, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useTill } from '../context';
import type { Wish } from '../queue/machine';
import type { Outcome } from '../queue/queue';
import { nameOf } from '../say';
import type { Card } from './card';

/** Asks before what was entered for one card is done for another: the name is what a mistake shows by. */
export function Give({
  wish,
  card,
  onGiven,
  onBack,
}: {
  wish: Wish;
  card: Card;
  /** Null where it was dealt with meanwhile, in another window. */
  onGiven: (outcome: Outcome | null, key: string) => void;
  onBack: () => void;
}): VNode {
  const { language, queue } = useTill();
  const { say } = language;
  const [key] = useState(newKey);
  const name = card.pass ? nameOf(language, card.pass.client) : null;
  const { isBusy, submit } = useForm(async () => {
    const whose = { code: card.code, name, passId: card.pass?.id ?? null };
    onGiven(await queue.give(wish.key, whose, key), key);
  });
  return (
    <form class="stack" onSubmit={submit}>
      <h1 tabIndex={-1}>{say('give.ask', { name: name ?? card.code })}</h1>
      <p class="lead">{wish.title}</p>
      <Button isBusy={isBusy}>{say('give.submit')}</Button>
      <Button type="button" kind="link" onClick={onBack}>
        {say('give.other')}
      </Button>
    </form>
  );
}
