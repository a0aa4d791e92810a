import { Button, Notice, Refused } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useTill } from '../context';
import { sayRefused } from '../say';

/** What can be done where the till waits for a card. */
export function Menu({
  onSignUp,
  onRecent,
  onLeave,
}: {
  onSignUp: () => void;
  onRecent: () => void;
  onLeave: () => Promise<void>;
}): VNode {
  const { language, wishes } = useTill();
  const { say } = language;
  const [trouble, setTrouble] = useState<unknown>(null);
  const [isAsking, setAsking] = useState(false);
  const ask = () => {
    if (wishes.length > 0)
      setTrouble(new Refused(409, 'QUEUED', { problems: [{ message: say('queue.leave') }] }));
    else setAsking(true);
  };
  return (
    <>
      <div class="actions pair">
        <Button type="button" kind="quiet" onClick={onSignUp}>
          {say('signUp.title')}
        </Button>
        <Button type="button" kind="quiet" onClick={onRecent}>
          {say('recent.title')}
        </Button>
      </div>
      {trouble !== null && <Notice kind="bad">{sayRefused(language, trouble)}</Notice>}
      {isAsking ? (
        <>
          {/* Where it was tapped the second tap of a double one finds the way to stay. */}
          <Button type="button" kind="quiet" onClick={() => setAsking(false)}>
            {say('leave.stay')}
          </Button>
          <Notice>{say('leave.ask')}</Notice>
          <Button type="button" kind="danger" onClick={() => void onLeave().catch(setTrouble)}>
            {say('leave')}
          </Button>
        </>
      ) : (
        <p>
          <Button type="button" kind="link" onClick={ask}>
            {say('leave')}
          </Button>
        </p>
      )}
    </>
  );
}
