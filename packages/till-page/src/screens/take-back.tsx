import { Button, Notice, newKey, Refused, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useTill } from '../context';
import { sayRefused } from '../say';
import type { Undone } from '../shapes';

/** Undo in two taps: a thumb slips, and what is taken back is gone. One key, however often it is tapped or sent. */
export function TakeBack({
  operationId,
  onUndone,
}: {
  operationId: string;
  onUndone: (undone: Undone) => void;
}): VNode {
  const { language, api } = useTill();
  const { say } = language;
  const [isAsking, setAsking] = useState(false);
  const [key] = useState(newKey);
  const { isBusy, refused, submit } = useForm(async () =>
    onUndone(await api.undo(operationId, key)),
  );
  if (!isAsking)
    return (
      <Button type="button" kind="quiet" onClick={() => setAsking(true)}>
        {say('undo.offer')}
      </Button>
    );
  return (
    <form class="stack" onSubmit={submit}>
      {refused !== null && (
        <Notice kind="bad">
          {refused instanceof Refused && refused.status === 409
            ? say('undo.late')
            : sayRefused(language, refused)}
        </Notice>
      )}
      <Button kind="danger" isBusy={isBusy}>
        {say('undo.confirm')}
      </Button>
      <Button type="button" kind="quiet" onClick={() => setAsking(false)}>
        {say('undo.keep')}
      </Button>
    </form>
  );
}
