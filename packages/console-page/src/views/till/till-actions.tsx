import type { StaffAppAction, StaffAppConfig } from '@laurel/client';
import { NativeSelect, Switch } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { Editing, readSeen, type Seen } from '../../parts/editing';
import { Loaded, Trouble } from '../../parts/loaded';
import { NamedButton } from '../../parts/named-button';
import { Refused } from '../../parts/refused';
import { useShopWords } from '../../parts/shop-words';
import { useWish } from '../../parts/wish';
import { ActionSheet } from './action-sheet';

const TYPES = [
  'add_transaction',
  'add_points',
  'remove_points',
  'redeem_reward',
  'grant_reward',
] as const;
type ActionType = (typeof TYPES)[number];
/** What the pad of the till fills: under another name it would be one more question beside the pad. */
const WITH_AMOUNT: Partial<Record<ActionType, string>> = {
  add_transaction: 'amount',
  add_points: 'points',
  remove_points: 'points',
};

/** What the till can do, in the order of its buttons. */
export function TillActions(): ReactNode {
  const { laurel } = useConsole();
  const [edited, setEdited] = useState<StaffAppAction | null>(null);
  const config = useAsk(['till-config'], () => readSeen(laurel.staffAppConfig.get()));
  return (
    <Loaded query={config}>
      {(found) =>
        found === null ? (
          <AddAction isFirst />
        ) : (
          <>
            <Editing query={config as UseQueryResult<Seen<StaffAppConfig>>}>
              {({ actions }) => (
                <>
                  <ActionList
                    actions={[...actions].sort((a, b) => a.sort_order - b.sort_order)}
                    onEdit={setEdited}
                  />
                  <AddAction />
                </>
              )}
            </Editing>
            {edited && (
              <ActionSheet
                query={config as UseQueryResult<Seen<StaffAppConfig>>}
                action={edited}
                onClose={() => setEdited(null)}
              />
            )}
          </>
        )
      }
    </Loaded>
  );
}

const AFTER = { forgets: ['till-config', 'overview'] };

function ActionList({
  actions,
  onEdit,
}: {
  actions: readonly StaffAppAction[];
  onEdit: (action: StaffAppAction) => void;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const turn = useChange(
    ({ id, is_enabled }: Pick<StaffAppAction, 'id' | 'is_enabled'>, options) =>
      laurel.staffAppConfig.updateAction(id, { is_enabled }, options),
    AFTER,
  );
  const order = useChange(
    (action_ids: string[], options) =>
      laurel.staffAppConfig.reorderActions({ action_ids }, options),
    AFTER,
  );
  const up = (at: number) => {
    const ids = actions.map(({ id }) => id);
    [ids[at - 1], ids[at]] = [ids[at]!, ids[at - 1]!];
    void order.send(ids);
  };
  return (
    <>
      <Refused error={turn.refused ?? order.refused} />
      {actions.length === 0 && <p className="hint">{say('till.noActions')}</p>}
      <ol className="plain-list">
        {actions.map((action, at) => (
          <li key={action.id}>
            <span>
              {action.name}
              <br />
              <small>{say(`tillAction.${action.action_type}`)}</small>
            </span>
            <span className="row">
              <NamedButton name={action.name} onClick={() => onEdit(action)}>
                {say('edit')}
              </NamedButton>
              <button
                type="button"
                className="icon-button"
                disabled={at === 0 || order.isBusy}
                aria-label={say('rules.up', { name: action.name })}
                onClick={() => up(at)}
              >
                ↑
              </button>
              <Switch
                aria-label={say('rules.switch', { name: action.name })}
                checked={action.is_enabled}
                disabled={turn.isBusy}
                onChange={() => void turn.send({ id: action.id, is_enabled: !action.is_enabled })}
              />
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function AddAction({ isFirst = false }: { isFirst?: boolean }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const shopWords = useShopWords();
  const add = useWish(
    async (type: ActionType, { idempotencyKey }) => {
      if (isFirst) await laurel.staffAppConfig.create({ is_enabled: true });
      const field = WITH_AMOUNT[type];
      const theirs = await shopWords();
      return laurel.staffAppConfig.createAction(
        {
          name: theirs(`tillAction.${type}`),
          action_type: type,
          ...(field
            ? {
                form_fields: [
                  { name: field, label: theirs('till.amount'), type: 'number', required: true },
                ],
              }
            : {}),
        },
        { idempotencyKey },
      );
    },
    () => forget('till-config', 'overview'),
  );
  return (
    <>
      {add.refused !== null && <Trouble error={add.refused} />}
      {isFirst && <p className="hint">{say('till.noActions')}</p>}
      <NativeSelect
        label={say('till.addAction')}
        value=""
        disabled={add.isBusy}
        onChange={(event) => {
          const type = TYPES.find((one) => one === event.currentTarget.value);
          if (type) void add.send(type);
        }}
        data={[
          { value: '', label: say('choose') },
          ...TYPES.map((value) => ({ value, label: say(`tillAction.${value}`) })),
        ]}
      />
    </>
  );
}
