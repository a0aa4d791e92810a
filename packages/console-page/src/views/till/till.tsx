import type { StaffUser } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { Ago } from '../../parts/ago';
import { useAsk } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { useChange } from '../../parts/change';
import { Listed } from '../../parts/editing';
import { NamedButton } from '../../parts/named-button';
import { Empty, Page, Panel } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import { useOffset } from '../../parts/paging';
import { Refused } from '../../parts/refused';
import { AddStaff } from './add-staff';
import { Devices } from './devices';
import { Pair } from './pair';
import { staffName } from './staff-name';
import { StaffSheet } from './staff-sheet';
import { TillActions } from './till-actions';

const ROWS = 50;

/** What a member sees change: who uses their phone all day is no other for it. */
const shownOf = ({ last_login: _, ...shown }: StaffUser): string => JSON.stringify(shown);

/** Who stands at the counter, on which phone, and what the phone can do. */
export function Till(): ReactNode {
  const { laurel, language, permissions } = useConsole();
  const { say } = language;
  const paging = useOffset(ROWS);
  const staff = useAsk(['staff', paging.query], () => laurel.staffUsers.list(paging.query));
  const [isAdding, setAdding] = useState(false);
  const [pairing, setPairing] = useState<StaffUser | null>(null);
  const [seen, setSeen] = useState<StaffUser | null>(null);
  const [edited, setEdited] = useState<StaffUser | null>(null);
  const mayManage = permissions.has('manage_mobile_app') || permissions.size === 0;
  const add = (
    <Button data-key="c" onClick={() => setAdding(true)} disabled={!mayManage}>
      {say('till.add')}
    </Button>
  );
  return (
    <Page title={say('till.title')} lead={<a href="/till/">{say('till.open')}</a>} actions={add}>
      {!mayManage && <p className="hint">{say('adminOnly')}</p>}
      <PagedTable
        query={staff}
        paging={paging}
        lines={6}
        empty={
          <Empty title={say('till.empty')} action={add}>
            {say('till.empty.text')}
          </Empty>
        }
        label={say('till.staff')}
        keyOf={({ id }) => id}
        columns={[
          { title: say('name'), cell: staffName },
          {
            title: say('state'),
            cell: ({ status }) => (
              <Badge
                kind={status === 'suspended' ? 'bad' : status === 'pending' ? 'plain' : 'good'}
              >
                {say(`staff.${status}`)}
              </Badge>
            ),
          },
          {
            title: say('till.lastSeen'),
            cell: ({ last_login }) => <Ago at={last_login} />,
            isExtra: true,
          },
          {
            title: say('actions'),
            isActions: true,
            cell: (user) => (
              <Listed
                row={user}
                read={() => laurel.staffUsers.get(user.id)}
                list={staff}
                versionOf={shownOf}
              >
                <StaffActions
                  user={user}
                  mayManage={mayManage}
                  onPair={() => setPairing(user)}
                  onDevices={() => setSeen(user)}
                  onEdit={() => setEdited(user)}
                />
              </Listed>
            ),
          },
        ]}
      />
      <Panel title={say('till.actions')}>
        <TillActions />
      </Panel>
      {isAdding && (
        <AddStaff
          onClose={() => setAdding(false)}
          onAdded={(user) => {
            setAdding(false);
            setPairing(user);
          }}
        />
      )}
      {pairing && <Pair user={pairing} onClose={() => setPairing(null)} />}
      {edited && <StaffSheet user={edited} onClose={() => setEdited(null)} />}
      {seen && <Devices user={seen} onClose={() => setSeen(null)} />}
    </Page>
  );
}

interface StaffActionsProps {
  user: StaffUser;
  mayManage: boolean;
  onPair: () => void;
  onDevices: () => void;
  onEdit: () => void;
}

/** What can be done with who stands at the counter. */
function StaffActions({
  user,
  mayManage,
  onPair,
  onDevices,
  onEdit,
}: StaffActionsProps): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const isSuspended = user.status === 'suspended';
  const suspend = useChange(
    (status: 'active' | 'suspended', options) =>
      laurel.staffUsers.update(user.id, { status }, options),
    { forgets: ['staff'] },
  );
  const actions = [
    ['till.pair', onPair, isSuspended],
    ['till.devices', onDevices, false],
    ['edit', onEdit, false],
    [
      isSuspended ? 'till.letBack' : 'till.suspend',
      () => void suspend.send(isSuspended ? 'active' : 'suspended'),
      suspend.isBusy || user.status === 'pending',
    ],
  ] as const;
  return (
    <>
      <Refused error={suspend.refused} onTheirs={suspend.forget} />
      <span className="row">
        {actions.map(([word, act, isOff]) => (
          <NamedButton name={staffName(user)} key={word} isOff={isOff || !mayManage} onClick={act}>
            {say(word)}
          </NamedButton>
        ))}
      </span>
    </>
  );
}
