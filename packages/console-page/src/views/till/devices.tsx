import type { StaffUser } from '@laurel/client';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { Ago } from '../../parts/ago';
import { useAsk, useForget } from '../../parts/ask';
import { Loaded, Trouble } from '../../parts/loaded';
import { NamedButton } from '../../parts/named-button';
import { Sheet } from '../../parts/sheet';
import { useWish } from '../../parts/wish';
import { staffName } from './staff-name';

/** The phones of somebody; a lost one is signed out here. */
export function Devices({ user, onClose }: { user: StaffUser; onClose: () => void }): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const nameOf = (session: { device_name: string | null; device_os: string | null }) =>
    session.device_name ?? session.device_os ?? say('till.phone');
  const sessions = useAsk(['staff-sessions', user.id], () =>
    laurel.staffUsers.listSessions(user.id),
  );
  const end = useWish(
    (id: string, options) => laurel.staffUsers.deleteSession(user.id, id, options),
    () => forget('staff-sessions', 'staff'),
  );
  return (
    <Sheet title={say('till.devicesOf', { name: staffName(user) })} onClose={onClose}>
      {end.refused !== null && <Trouble error={end.refused} />}
      <Loaded query={sessions}>
        {(rows) => {
          const open = rows.filter(({ revoked_at }) => revoked_at === null);
          return open.length === 0 ? (
            <p>{say('till.noDevices')}</p>
          ) : (
            <ul className="plain-list">
              {open.map((session) => (
                <li key={session.id}>
                  <span>
                    {nameOf(session)}
                    <br />
                    <small>
                      <Ago at={session.last_active_at} />
                    </small>
                  </span>
                  <NamedButton
                    name={nameOf(session)}
                    isOff={end.isBusy}
                    onClick={() => void end.send(session.id)}
                  >
                    {say('signOut')}
                  </NamedButton>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Sheet>
  );
}
