import { NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { DecimalField } from '../../parts/decimal-field';
import { Loaded } from '../../parts/loaded';
import { Sheet } from '../../parts/sheet';
import { useToast } from '../../parts/toast';
import { useWish } from '../../parts/wish';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';
import { MOVED } from './moved';

/** A balance put right by hand: before, after, and why. */
export function Correct({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const toast = useToast();
  const types = useAsk(['wallet-types'], () => laurel.walletTypes.list());
  const wallets = useAsk(['wallets', id], () => laurel.points.listWalletsForClient(id));
  const [chosen, setChosen] = useState<string | null>(null);
  const [amount, setAmount] = useState<number | null>(null);
  const [reason, setReason] = useState('');
  const wish = useWish(
    (
      body: { client_id: string; amount: number; description: string; wallet_type_code: string },
      options,
    ) => laurel.points.adjust(body, options),
    (entry) => {
      forget(...MOVED);
      toast({ text: say('correct.done', { amount: format.change(entry.amount) }) });
      onClose();
    },
  );
  const type =
    types.data?.find(({ code }) => code === chosen) ??
    types.data?.find(({ is_default }) => is_default) ??
    types.data?.[0];
  const submit = () => {
    if (amount === null || !type) return;
    void wish.send({ client_id: id, amount, description: reason, wallet_type_code: type.code });
  };
  return (
    <Sheet title={say('customer.correct')} onClose={onClose}>
      <Loaded query={wallets}>
        {(rows) => {
          const before =
            rows.find(({ wallet_type }) => wallet_type.code === type?.code)?.wallet
              .active_balance ?? 0;
          return (
            <WishForm
              wish={wish}
              onSend={submit}
              button={
                amount
                  ? say('correct.go', { amount: format.change(amount, type) })
                  : say('customer.correct')
              }
              missing={[
                ...(amount ? [] : [say('correct.amount')]),
                ...(reason.trim() === '' ? [say('correct.reason')] : []),
              ]}
            >
              {(types.data?.length ?? 0) > 1 && (
                <NativeSelect
                  label={say('overview.currency')}
                  value={type?.code ?? ''}
                  onChange={(event) => setChosen(event.currentTarget.value)}
                  data={types.data!.map(({ code, name }) => ({ value: code, label: name }))}
                />
              )}
              <DecimalField
                label={say('correct.amount')}
                description={say('correct.amount.hint')}
                value={amount}
                onChange={setAmount}
                required
                error={troubleOf(wish.refused, 'amount')}
              />
              <TextInput
                label={say('correct.reason')}
                description={say('correct.reason.hint')}
                required
                value={reason}
                error={troubleOf(wish.refused, 'description')}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
              <p role="status">
                {say('correct.result', {
                  before: format.units(before, type),
                  after: format.units(Number((before + (amount ?? 0)).toFixed(4)), type),
                })}
              </p>
            </WishForm>
          );
        }}
      </Loaded>
    </Sheet>
  );
}
