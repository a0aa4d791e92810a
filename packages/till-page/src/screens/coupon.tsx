import { Button, Notice } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useTill } from '../context';
import { nameOf } from '../say';
import type { CouponVerdict } from '../shapes';
import { Turn } from './turn';

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
  return (
    <>
      <h1 tabIndex={-1}>{redemption?.reward_name ?? say('coupon.title')}</h1>
      {client && <p>{nameOf(language, client)}</p>}
      {redemption && valid ? (
        <Turn redemptionId={redemption.id} offer={say('coupon.use')} taken={say('coupon.taken')} />
      ) : (
        <Notice kind="bad">{say(`coupon.${reason ?? 'unknown'}`)}</Notice>
      )}
      <Button type="button" kind="quiet" onClick={onNext}>
        {say('done.next')}
      </Button>
    </>
  );
}
