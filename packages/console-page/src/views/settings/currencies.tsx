import type { Call, WalletType } from '@laurel/client';
import { codeOf } from '@laurel/page-kit/code-of';
import { Button, Switch, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { useChange } from '../../parts/change';
import { DecimalField } from '../../parts/decimal-field';
import { Editing, readSeen, useHold } from '../../parts/editing';
import { Loaded } from '../../parts/loaded';
import { Managed } from '../../parts/managed';
import { NamedButton } from '../../parts/named-button';
import { Empty } from '../../parts/page';
import { Sheet } from '../../parts/sheet';
import { Table } from '../../parts/table';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';

/** What customers collect. */
export function Currencies(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const types = useAsk(['wallet-types'], () => laurel.walletTypes.list());
  const [open, setOpen] = useState<WalletType | 'new' | null>(null);
  const add = (
    <div>
      <Button data-key="c" onClick={() => setOpen('new')}>
        {say('currencies.new')}
      </Button>
    </div>
  );
  return (
    <>
      <Loaded query={types}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={say('currencies.empty')} action={add}>
              {say('currencies.empty.text')}
            </Empty>
          ) : (
            <>
              <Table
                label={say('settings.currencies')}
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: say('name'),
                    cell: (row) => (
                      <>
                        {row.name}{' '}
                        {row.is_default && <Badge kind="good">{say('currencies.default')}</Badge>}
                      </>
                    ),
                  },
                  {
                    title: say('currencies.code'),
                    cell: ({ code }) => <code>{code}</code>,
                    isExtra: true,
                  },
                  {
                    title: say('currencies.expiry'),
                    cell: ({ expiry_days }) =>
                      expiry_days === null
                        ? say('never')
                        : say('currencies.days', { count: expiry_days }),
                  },
                  {
                    title: say('actions'),
                    isActions: true,
                    cell: (row) => (
                      <NamedButton name={row.name} onClick={() => setOpen(row)}>
                        {say('edit')}
                      </NamedButton>
                    ),
                  },
                ]}
              />
              {add}
            </>
          )
        }
      </Loaded>
      {open && <CurrencySheet type={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </>
  );
}

interface CurrencyProps {
  type: WalletType | null;
  onClose: () => void;
}

function CurrencySheet({ type, onClose }: CurrencyProps): ReactNode {
  const { laurel, language } = useConsole();
  const known = useAsk(
    ['wallet-types', type?.id],
    () => readSeen(laurel.walletTypes.get(type!.id)),
    { isWanted: type !== null },
  );
  return (
    <Sheet title={type?.name ?? language.say('currencies.new')} onClose={onClose}>
      <Managed kind="wallet_types" name={type?.code} />
      {type ? (
        <Loaded query={known}>
          {() => (
            <Editing query={known}>
              {(row) => <CurrencyFields type={row} onClose={onClose} />}
            </Editing>
          )}
        </Loaded>
      ) : (
        <CurrencyFields type={null} onClose={onClose} />
      )}
    </Sheet>
  );
}

function CurrencyFields({ type, onClose }: CurrencyProps): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const others = useAsk(['wallet-types'], () => laurel.walletTypes.list());
  const taken = (others.data ?? []).map(({ code }) => code);
  const [isTyped, setTyped] = useState(false);
  useHold(isTyped);
  const [draft, setDraft] = useState({
    name: type?.name ?? '',
    unit_singular_name: type?.unit_singular_name ?? '',
    unit_plural_name: type?.unit_plural_name ?? '',
    expiry_days: type?.expiry_days ?? null,
    pending_days: type?.pending_days ?? null,
    max_balance: type?.max_balance ?? null,
    is_default: type?.is_default ?? false,
    active: type?.active ?? true,
  });
  const set = (by: Partial<typeof draft>) => {
    setTyped(true);
    setDraft({ ...draft, ...by });
  };
  const wish = useChange(
    (body: typeof draft, options): Call<WalletType> => {
      const whole = {
        ...body,
        unit_singular_name: body.unit_singular_name || null,
        unit_plural_name: body.unit_plural_name || null,
      };
      return type
        ? laurel.walletTypes.update(type.id, whole, options)
        : laurel.walletTypes.create(
            { ...whole, code: codeOf(body.name, { otherwise: 'points', taken }) },
            options,
          );
    },
    { forgets: ['wallet-types', 'names', 'overview', 'wallets'], onDone: onClose },
  );
  const trouble = (field: string) => troubleOf(wish.refused, field);
  return (
    <WishForm wish={wish} onSend={() => void wish.send(draft)} button={say('save')}>
      {(['name', 'unit_singular_name', 'unit_plural_name'] as const).map((name) => (
        <TextInput
          key={name}
          label={say(`currencies.${name}`)}
          required={name === 'name'}
          value={draft[name]}
          error={trouble(name)}
          onChange={(event) => set({ [name]: event.currentTarget.value })}
        />
      ))}
      {(['expiry_days', 'pending_days', 'max_balance'] as const).map((name) => (
        <DecimalField
          key={name}
          label={say(`currencies.${name}`)}
          description={say(`currencies.${name}.hint`)}
          value={draft[name]}
          error={trouble(name)}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
      <Switch
        label={say('currencies.is_default')}
        checked={draft.is_default}
        onChange={(event) => set({ is_default: event.currentTarget.checked })}
      />
      <Switch
        label={say('on')}
        checked={draft.active}
        onChange={(event) => set({ active: event.currentTarget.checked })}
      />
    </WishForm>
  );
}
