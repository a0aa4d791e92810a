import type { ApiToken } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { DangerButton } from '../../parts/danger-button';
import { Loaded, Trouble } from '../../parts/loaded';
import { Panel } from '../../parts/page';
import { Table } from '../../parts/table';
import { useWish } from '../../parts/wish';
import { NewToken } from './new-token';

/** Keys for programs of one's own, each for what its scope says. */
export function NamedTokens(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const state = useAsk(['api-tokens'], () => laurel.user.listApiTokens());
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title={say('tokens.title')}>
      <p>{say('tokens.text')}</p>
      <Loaded query={state} lines={2}>
        {(tokens) =>
          tokens.length === 0 ? <p>{say('tokens.empty')}</p> : <List tokens={tokens} />
        }
      </Loaded>
      <div className="row">
        <Button onClick={() => setOpen(true)}>{say('tokens.new')}</Button>
      </div>
      {isOpen && <NewToken onClose={() => setOpen(false)} />}
    </Panel>
  );
}

function List({ tokens }: { tokens: readonly ApiToken[] }): ReactNode {
  const { laurel, format, language, workspace } = useConsole();
  const { say } = language;
  const forget = useForget();
  const revoke = useWish(
    ({ id }: ApiToken) => laurel.user.revokeApiToken(id),
    () => forget('api-tokens'),
  );
  const whenOf = (at: string | null) => (at === null ? say('tokens.never') : format.moment(at));
  const placeOf = ({ workspace_id: id }: ApiToken) =>
    say(id === null ? 'tokens.all' : id === workspace.id ? 'tokens.here' : 'tokens.elsewhere');
  return (
    <>
      {revoke.refused !== null && <Trouble error={revoke.refused} />}
      <Table
        label={say('tokens.title')}
        rows={tokens}
        keyOf={({ id }) => id}
        columns={[
          { title: say('tokens.name'), cell: ({ name }) => name },
          {
            title: say('tokens.scope'),
            cell: ({ scope }) => say(`tokens.${scope}`),
            isBelow: true,
          },
          { title: say('tokens.where'), cell: placeOf, isExtra: true },
          { title: say('tokens.used'), cell: (row) => whenOf(row.last_used_at), isExtra: true },
          { title: say('tokens.ends'), cell: (row) => whenOf(row.expires_at), isExtra: true },
          {
            title: say('tokens.revoke'),
            isActions: true,
            cell: (row) => (
              <DangerButton
                ask={say('tokens.ask', { name: row.name })}
                isBusy={revoke.isBusy}
                onDo={() => void revoke.send(row)}
              >
                {say('tokens.revoke')}
              </DangerButton>
            ),
          },
        ]}
      />
    </>
  );
}
