import { Button, Notice, newKey, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useTill } from '../context';
import { nameOf, sayRefused } from '../say';
import type { CouponVerdict } from '../shapes';

/** A coupon that is handed over: what it is for, whose it is, and whether it is still good. */
export function Coupon({
  coupon: { valid, reason, redemption, client },
  onNext,
}: {
  coupon: CouponVerdict;
  onNext: () => void;
}): VNode {
  const { language } = useTill();
  const { say } = language;
  const [isUsed, setUsed] = useState(false);
  return (
    <>
      <h1 tabIndex={-1}>{redemption?.reward_name ?? say('coupon.title')}</h1>
      {client && <p>{nameOf(language, client)}</p>}
      {redemption && valid ? (
        <Turn
          // Another wish each time: to take it in, and to give it back.
          key={String(isUsed)}
          redemptionId={redemption.id}
          isUsed={isUsed}
          onTurned={() => setUsed(!isUsed)}
        />
      ) : (
        <Notice kind="bad">{say(`coupon.${reason ?? 'unknown'}`)}</Notice>
      )}
      <Button type="button" kind="quiet" onClick={onNext}>
        {say('done.next')}
      </Button>
    </>
  );
}

/** One tap takes the coupon in; until the next card it can be given back. */
function Turn({
  redemptionId,
  isUsed,
  onTurned,
}: {
  redemptionId: string;
  isUsed: boolean;
  onTurned: () => void;
}): VNode {
  const { language, api } = useTill();
  const { say } = language;
  const [key] = useState(newKey);
  const { isBusy, refused, submit } = useForm(async () => {
    await api.useCoupon(redemptionId, !isUsed, key);
    onTurned();
  });
  return (
    <form class="stack" onSubmit={submit}>
      {isUsed && (
        <p class="notice" role="status">
          {say('coupon.taken')}
        </p>
      )}
      {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      <Button {...(isUsed ? { kind: 'quiet' as const } : {})} isBusy={isBusy}>
        {say(isUsed ? 'undo.offer' : 'coupon.use')}
      </Button>
    </form>
  );
}
