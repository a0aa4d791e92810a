import type { Reward } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { PAGE } from '../../api/names';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Go } from '../../parts/go';
import { Loaded, Trouble } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Empty } from '../../parts/page';
import { Sheet } from '../../parts/sheet';
import { useToast } from '../../parts/toast';
import { useIsHere } from '../../parts/use-is-here';
import { useWish } from '../../parts/wish';
import { payerOf } from '../rewards/payer-of';
import { priceOf, sayPrice } from '../rewards/price';
import { REDEEMED } from './moved';

interface RedeemProps {
  id: string;
  /** Without taking points. */
  isGift?: boolean;
  onClose: () => void;
}

/** A reward for a customer: for its price, or given. */
export function Redeem({ id, isGift = false, onClose }: RedeemProps): ReactNode {
  const shop = useConsole();
  const { laurel, format, language } = shop;
  const { say } = language;
  const forget = useForget();
  const rewards = useAsk(['rewards', 'active'], () =>
    laurel.rewards.list({ active: true, limit: PAGE }).all(),
  );
  const types = useAsk(['wallet-types'], () => laurel.walletTypes.list());
  const wallets = useAsk(['wallets', id], () => laurel.points.listWalletsForClient(id));
  const [got, setGot] = useState<{ name: string; code: string | null } | null>(null);
  const [wanted, setWanted] = useState<string | null>(null);
  const toast = useToast();
  const isHere = useIsHere();
  const wish = useWish(
    (reward: Pick<Reward, 'id' | 'name'>, options) =>
      laurel.rewards.redeem(
        {
          reward_id: reward.id,
          client_id: id,
          source: 'admin',
          ...(isGift ? { skip_points_cost: true } : {}),
        },
        options,
      ),
    (result, { name }) => {
      forget(...REDEEMED);
      const coupon = 'coupon' in result ? result.coupon : null;
      const code = coupon?.code ?? null;
      if (isHere.current) setGot({ name, code });
      else toast({ text: [say('redeem.done', { name }), code].filter(Boolean).join(' ') });
    },
  );
  const hasFor = (reward: Reward) => {
    const type = payerOf(reward, types.data);
    const found = wallets.data?.find(({ wallet_type }) => wallet_type.id === type?.id);
    return found?.wallet.active_balance ?? 0;
  };
  return (
    <Sheet title={say(isGift ? 'customer.give' : 'customer.redeem')} onClose={onClose}>
      {got ? (
        <div className="stack">
          <Notice kind="good">
            {say('redeem.done', { name: got.name })} {got.code && <b>{got.code}</b>}
          </Notice>
          <Button onClick={onClose}>{say('close')}</Button>
        </div>
      ) : (
        <div className="stack">
          <p>{say(isGift ? 'redeem.gift.text' : 'redeem.text')}</p>
          {wish.refused !== null && <Trouble error={wish.refused} />}
          <Loaded query={rewards}>
            {(offered) =>
              offered.length === 0 ? (
                <Empty
                  title={say('rewards.empty')}
                  action={<Go to="/rewards/new">{say('rewards.new')}</Go>}
                />
              ) : (
                <ul className="plain-list">
                  {offered.map((reward) => {
                    const price = priceOf(reward);
                    const missing = price - hasFor(reward);
                    const isOut = !isGift && price > 0 && missing > 0;
                    return (
                      <li key={reward.id}>
                        <span>
                          {reward.name}
                          <br />
                          <small>
                            {isOut
                              ? say('redeem.missing', {
                                  amount: format.units(missing, payerOf(reward, types.data)),
                                })
                              : sayPrice(shop, reward, types.data)}
                          </small>
                        </span>
                        <Button
                          variant="default"
                          size="xs"
                          disabled={isOut || wish.isBusy}
                          loading={wish.isBusy && wanted === reward.id}
                          aria-label={`${say(isGift ? 'redeem.give' : 'customer.redeem')}: ${reward.name}`}
                          onClick={() => {
                            setWanted(reward.id);
                            void wish.send({ id: reward.id, name: reward.name });
                          }}
                        >
                          {say(isGift ? 'redeem.give' : 'customer.redeem')}
                        </Button>
                      </li>
                    );
                  })}
                </ul>
              )
            }
          </Loaded>
        </div>
      )}
    </Sheet>
  );
}
