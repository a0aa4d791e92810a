import type { StaffUser } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { Loaded, Trouble } from '../../parts/loaded';
import { Empty, Page, Panel } from '../../parts/page';
import { Table } from '../../parts/table';
import { useWish } from '../../parts/wish';
import { AddStaff } from './add-staff';
import { Devices } from './devices';
import { Pair } from './pair';
import { staffName } from './staff-name';
import { TillActions } from './till-actions';

/** Who stands at the counter, on which phone, and what the phone can do. */
export function Till(): ReactNode {
  const { laurel, format, language, permissions } = useConsole();
  const { say } = language;
  const forget = useForget();
  const staff = useAsk(['staff'], () => laurel.staffUsers.list({ limit: 100 }));
  const [isAdding, setAdding] = useState(false);
  const [pairing, setPairing] = useState<StaffUser | null>(null);
  const [seen, setSeen] = useState<StaffUser | null>(null);
  const mayManage = permissions.has('manage_mobile_app') || permissions.size === 0;
  const suspend = useWish(
    ({ id, isSuspended }: { id: string; isSuspended: boolean }, options) =>
      laurel.staffUsers.update(id, { status: isSuspended ? 'active' : 'suspended' }, options),
    () => forget('staff'),
  );
  const add = (
    <Button data-key="c" onClick={() => setAdding(true)} disabled={!mayManage}>
      {say('till.add')}
    </Button>
  );
  return (
    <Page title={say('till.title')} lead={<a href="/till/">{say('till.open')}</a>} actions={add}>
      {!mayManage && <p className="hint">{say('adminOnly')}</p>}
      {suspend.refused !== null && <Trouble error={suspend.refused} />}
      <Loaded query={staff} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={say('till.empty')} action={add}>
              {say('till.empty.text')}
            </Empty>
          ) : (
            <Table
              label={say('till.staff')}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { title: say('name'), cell: staffName },
                {
                  title: say('state'),
                  cell: ({ status }) => (
                    <Badge
                      kind={
                        status === 'suspended' ? 'bad' : status === 'pending' ? 'plain' : 'good'
                      }
                    >
                      {say(`staff.${status}`)}
                    </Badge>
                  ),
                },
                {
                  title: say('till.lastSeen'),
                  cell: ({ last_login }) => (last_login ? format.ago(last_login) : say('never')),
                  isExtra: true,
                },
                {
                  title: say('actions'),
                  isActions: true,
                  cell: (user) => (
                    <span className="row">
                      {(
                        [
                          ['till.pair', () => setPairing(user), user.status === 'suspended'],
                          ['till.devices', () => setSeen(user), false],
                          [
                            user.status === 'suspended' ? 'till.letBack' : 'till.suspend',
                            () =>
                              void suspend.send({
                                id: user.id,
                                isSuspended: user.status === 'suspended',
                              }),
                            suspend.isBusy || user.status === 'pending',
                          ],
                        ] as const
                      ).map(([word, act, isOff]) => (
                        <button
                          key={word}
                          type="button"
                          className="text-button"
                          disabled={isOff || !mayManage}
                          onClick={act}
                        >
                          {say(word)}
                          <span className="visually-hidden">: {staffName(user)}</span>
                        </button>
                      ))}
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
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
      {seen && <Devices user={seen} onClose={() => setSeen(null)} />}
    </Page>
  );
}
