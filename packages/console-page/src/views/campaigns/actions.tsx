import type { Campaign } from '@laurel/client';
import { Button, NativeSelect, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { loadNames } from '../../api/names';
import { useConsole } from '../../console';
import { notedInWords } from '../../noted';
import { useAsk } from '../../parts/ask';
import { useAskedLeave } from '../../parts/asked-leave';
import { Badge } from '../../parts/badge';
import { useChange } from '../../parts/change';
import { type Seen, useHold } from '../../parts/editing';
import { Loaded } from '../../parts/loaded';
import { NamedButton } from '../../parts/named-button';
import { Panel } from '../../parts/page';
import { Refused } from '../../parts/refused';
import { choicesOf, withStored } from '../../parts/stored-choice';
import type { Names } from '../../rule/body';
import { configOf, KINDS, type Kind, listOf, tellAction } from './tell-action';

/** The actions of a campaign: each change of them is another version of it. */
export function useActions({ id, etag }: Seen<Campaign>) {
  const { laurel } = useConsole();
  return useAsk(['campaigns', id, 'actions', etag], () => laurel.campaigns.listActions(id));
}

/** What they get, in this order. */
export function Actions({ campaign }: { campaign: Seen<Campaign> }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const isDraft = campaign.status === 'draft';
  const actions = useActions(campaign);
  const names = useAsk(['names'], loadNames);
  const remove = useChange((id: string, options) => laurel.campaigns.deleteAction(id, options), {
    forgets: ['campaigns'],
  });
  return (
    <Panel title={`2. ${say('campaign.what')}`}>
      <Refused error={remove.refused} />
      <Loaded query={actions} lines={2}>
        {(rows) => (
          <ol className="plain-list">
            {rows.map((action) => (
              <li key={action.id}>
                <span>
                  {names.data ? tellAction(say, action, names.data) : ''}{' '}
                  {action.status !== 'pending' && (
                    <Badge kind={action.status === 'failed' ? 'bad' : 'plain'}>
                      {say(`action.${action.status}`)}
                    </Badge>
                  )}
                  {action.error_message && (
                    <small className="request-id">
                      {notedInWords(language, action.error_message)}
                    </small>
                  )}
                </span>
                {isDraft && (
                  <NamedButton
                    name={names.data ? tellAction(say, action, names.data) : ''}
                    isOff={remove.isBusy}
                    onClick={() => void remove.send(action.id)}
                  >
                    {say('remove')}
                  </NamedButton>
                )}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
      {isDraft && names.data && <NewAction campaignId={campaign.id} names={names.data} />}
    </Panel>
  );
}

function NewAction({ campaignId, names }: { campaignId: string; names: Names }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const [kind, setKind] = useState<Kind | ''>('');
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const add = useChange(
    (body: { action_type: Kind; action_config: Record<string, unknown> }, options) =>
      laurel.campaigns.createAction(campaignId, body, options),
    {
      forgets: ['campaigns'],
      onDone() {
        setKind('');
        setText('');
      },
    },
  );
  const isTyped = kind === 'push_notification' ? text.trim() !== '' : kind !== '';
  useHold(isTyped);
  useAskedLeave(isTyped, add.isBusy);
  const choose = (next: Kind | '') => {
    setKind(next);
    if (next && next !== 'push_notification') setChosen(listOf(next, names)[0]?.id ?? '');
  };
  const send = () => {
    if (!kind) return;
    const action_config =
      kind === 'push_notification' ? { notification_message: text } : configOf(kind, chosen);
    void add.send({ action_type: kind, action_config });
  };
  return (
    <div className="stack">
      <NativeSelect
        label={say('then.add')}
        value={kind}
        onChange={(event) => choose(event.currentTarget.value as Kind | '')}
        data={[
          { value: '', label: say('choose') },
          ...KINDS.map((value) => ({
            value,
            label: say(`campaignAction.${value}`),
            disabled: value !== 'push_notification' && listOf(value, names).length === 0,
          })),
        ]}
      />
      {kind === 'push_notification' && (
        <>
          <Textarea
            label={say('then.text')}
            description={say('then.text.hint', { count: text.length })}
            rows={2}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <div className="lock-screen" aria-hidden="true">
            <b>{say('campaign.lockScreen')}</b>
            <span>{text || '…'}</span>
          </div>
        </>
      )}
      {kind !== '' && kind !== 'push_notification' && (
        <NativeSelect
          label={say(`campaignAction.${kind}`)}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={withStored(say, choicesOf(listOf(kind, names)), chosen)}
        />
      )}
      <Refused error={add.refused} onAgain={send} />
      {kind !== '' && (
        <div>
          <Button
            variant="default"
            loading={add.isBusy}
            disabled={kind === 'push_notification' ? text.trim() === '' : chosen === ''}
            onClick={send}
          >
            {say('add')}
          </Button>
        </div>
      )}
    </div>
  );
}
