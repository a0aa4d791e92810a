import { Button, Notice, newKey, Refused, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useTill } from '../context';
import { sayRefused } from '../say';
import type { Undone } from '../shapes';

/** The second tap of a double one comes within this time, and is no answer to what the first one asked. */
const DOUBLE_TAP_MS = 600;

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
  const [isReady, setReady] = useState(false);
  const [key] = useState(newKey);
  const { isBusy, refused, submit } = useForm(async () =>
    onUndone(await api.undo(operationId, key)),
  );
  // The answer stands where the question was tapped.
  useEffect(() => {
    const timer = isAsking && setTimeout(() => setReady(true), DOUBLE_TAP_MS);
    return () => {
      if (timer) clearTimeout(timer);
      setReady(false);
    };
  }, [isAsking]);
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
          {refused instanceof Refused && refused.status === 409 && !refused.isOpen
            ? say('undo.late')
            : sayRefused(language, refused)}
        </Notice>
      )}
      <Button kind="danger" isBusy={isBusy} disabled={!isReady}>
        {say('undo.confirm')}
      </Button>
      <Button type="button" kind="quiet" onClick={() => setAsking(false)}>
        {say('undo.keep')}
      </Button>
    </form>
  );
}
