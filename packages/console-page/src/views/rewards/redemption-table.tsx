import type { Redemption, RedemptionOfPerson } from '@laurel/client';
import { isHandedOver } from '@laurel/contract';
import type { ReactNode } from 'react';
import { nameOf } from '../../api/find';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { Go } from '../../parts/go';
import { Trouble } from '../../parts/loaded';
import { NamedButton } from '../../parts/named-button';
import { Empty } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import { useOffset } from '../../parts/paging';
import { useToast } from '../../parts/toast';
import { useWish } from '../../parts/wish';
import { REDEEMED } from '../customer/moved';
import { FileButton } from '../customers/file-button';
import { payerOf } from './payer-of';

const ROWS = 25;

/** Redemptions of a customer, of a reward, or all; each can be used and cancelled. */
export function RedemptionTable({
  clientId,
  rewardId,
}: {
  clientId?: string;
  rewardId?: string;
}): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const toast = useToast();
  const paging = useOffset(ROWS);
  const types = useAsk(['wallet-types'], () => laurel.walletTypes.list());
  const query = {
    ...paging.query,
    ...(clientId ? {} : { expand: ['client' as const] }),
    ...(clientId ? { client_id: clientId } : {}),
    ...(rewardId ? { reward_id: rewardId } : {}),
  };
  const redemptions = useAsk(['redemptions', query], () => laurel.rewards.listRedemptions(query));
  const change = useWish(
    async (
      { id, what }: { id: string; what: 'use' | 'cancel' },
      options,
    ): Promise<'use' | 'cancel'> => {
      // biome-ignore lint/correctness/useHookAtTopLevel: an operation, no hook
      if (what === 'use') await laurel.rewards.useRedemption(id, {}, options);
      else await laurel.rewards.cancelRedemption(id, {}, options);
      return what;
    },
    (what) => {
      forget(...REDEEMED);
      toast({ text: say(what === 'use' ? 'redemption.used' : 'redemption.cancelled') });
    },
  );
  const stateOf = (row: Redemption) => (isHandedOver(row) ? 'used' : row.status);
  return (
    <>
      {change.refused !== null && <Trouble error={change.refused} />}
      {(redemptions.data?.data.length ?? 0) > 0 && (
        <FileButton
          kind="redemptions"
          params={{
            ...(clientId ? { client_id: clientId } : {}),
            ...(rewardId ? { reward_id: rewardId } : {}),
          }}
        />
      )}
      <PagedTable
        query={redemptions}
        paging={paging}
        lines={6}
        empty={<Empty title={say('redemptions.empty')} />}
        label={say('rewards.redemptions')}
        keyOf={({ id }) => id}
        columns={[
          { title: say('when'), cell: (row) => format.moment(row.redemption_date), isBelow: true },
          ...(clientId
            ? []
            : [
                {
                  title: say('run.customer'),
                  cell: (row: RedemptionOfPerson) => (
                    <Go to={`/customers/${row.client_id}`} search={{ tab: 'rewards' }}>
                      {row.client ? nameOf(row.client) : row.client_id.slice(0, 8)}
                    </Go>
                  ),
                },
              ]),
          { title: say('redemption.reward'), cell: (row) => row.reward_name },
          { title: say('redemption.code'), cell: (row) => row.coupon_code ?? '' },
          {
            title: say('redemption.paid'),
            cell: (row) => format.units(row.points_spent, payerOf(row, types.data)),
            isNumber: true,
            isExtra: true,
          },
          {
            title: say('state'),
            cell: (row) => (
              <Badge kind={stateOf(row) === 'fulfilled' ? 'good' : 'plain'}>
                {say(`redemption.${stateOf(row)}`)}
              </Badge>
            ),
          },
          {
            title: say('actions'),
            isActions: true,
            cell: (row) =>
              row.status === 'fulfilled' &&
              row.used_at === null && (
                <span className="row">
                  {!isHandedOver(row) && (
                    <NamedButton
                      name={row.reward_name}
                      isOff={change.isBusy}
                      onClick={() => void change.send({ id: row.id, what: 'use' })}
                    >
                      {say('redemption.use')}
                    </NamedButton>
                  )}
                  <NamedButton
                    name={row.reward_name}
                    isOff={change.isBusy}
                    onClick={() => {
                      if (confirm(say('redemption.cancel.ask', { reward: row.reward_name })))
                        void change.send({ id: row.id, what: 'cancel' });
                    }}
                  >
                    {say('redemption.cancel')}
                  </NamedButton>
                </span>
              ),
          },
        ]}
      />
    </>
  );
}
