import { Button, Notice, newKey, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useTill } from '../context';
import { sayRefused } from '../say';

interface TurnProps {
  redemptionId: string;
  /** What its button says, and what is said once it was tapped. */
  offer: string;
  taken: string;
}

/** One tap marks what was redeemed as handed over; until the next card it can be given back. */
export function Turn(props: TurnProps): VNode {
  const [isUsed, setUsed] = useState(false);
  const [isLate, setLate] = useState(false);
  const { language } = useTill();
  if (isLate) return <Notice kind="bad">{language.say('handover.before')}</Notice>;
  // Another wish each time: to take it in, and to give it back.
  return (
    <Wanted
      {...props}
      key={String(isUsed)}
      isUsed={isUsed}
      onTurned={(wasUsed) => (wasUsed && !isUsed ? setLate(true) : setUsed(!isUsed))}
    />
  );
}

function Wanted({
  redemptionId,
  offer,
  taken,
  isUsed,
  onTurned,
}: TurnProps & { isUsed: boolean; onTurned: (wasUsed: boolean) => void }): VNode {
  const { language, api } = useTill();
  const [key] = useState(newKey);
  const { isBusy, refused, submit } = useForm(async () => {
    onTurned((await api.use(redemptionId, !isUsed, key)).was_used);
  });
  return (
    <form class="stack" onSubmit={submit}>
      {isUsed && (
        <p class="notice" role="status">
          {taken}
        </p>
      )}
      {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      <Button {...(isUsed ? { kind: 'quiet' as const } : {})} isBusy={isBusy}>
        {isUsed ? language.say('undo.offer') : offer}
      </Button>
    </form>
  );
}
