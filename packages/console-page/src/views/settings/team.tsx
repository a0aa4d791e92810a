import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { Ago } from '../../parts/ago';
import { useAsk, useForget } from '../../parts/ask';
import { Loaded, Trouble } from '../../parts/loaded';
import { NamedButton } from '../../parts/named-button';
import { Panel } from '../../parts/page';
import { Table } from '../../parts/table';
import { useToast } from '../../parts/toast';
import { useWish } from '../../parts/wish';
import { troubleOf } from '../../refusals';

const ROLES = ['admin', 'member'] as const;

/** Who works here, who is invited, and what each may do. */
export function Team(): ReactNode {
  const { laurel, format, language, user, workspace } = useConsole();
  const { say } = language;
  const forget = useForget();
  const toast = useToast();
  const members = useAsk(['members'], () => laurel.members.list());
  const invitations = useAsk(['invitations'], () => laurel.invitations.list());
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<'admin' | 'member'>('member');
  const invite = useWish(
    (body: { email: string; role: 'admin' | 'member'; workspace_id: string }, options) =>
      laurel.invitations.create(body, options),
    () => {
      forget('invitations');
      setEmail('');
      toast({ text: say('team.invited') });
    },
  );
  const change = useWish(
    async ({ id, to }: { id: string; to: 'admin' | 'member' | null }, options): Promise<void> => {
      if (to) await laurel.members.updateRole(id, { role: to }, options);
      else await laurel.members.delete(id, options);
    },
    () => forget('members', 'invitations'),
  );
  const revoke = useWish(
    (id: string, options) => laurel.invitations.delete(id, options),
    () => forget('invitations'),
  );
  const refused = change.refused ?? revoke.refused;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void invite.send({ email: email.trim(), role, workspace_id: workspace.id });
  };
  return (
    <>
      {refused !== null && <Trouble error={refused} />}
      <Loaded query={members}>
        {({ members: rows }) => (
          <Table
            label={say('settings.team')}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: say('name'),
                cell: (row) => (
                  <>
                    {[row.first_name, row.last_name].filter(Boolean).join(' ') || row.email}
                    <br />
                    <small>{row.email}</small>
                  </>
                ),
              },
              {
                title: say('team.role'),
                cell: (row) =>
                  row.id === user.id ? (
                    say(`role.is.${row.role}`)
                  ) : (
                    <NativeSelect
                      size="xs"
                      aria-label={say('team.roleOf', { name: row.email })}
                      value={row.role}
                      disabled={change.isBusy}
                      onChange={(event) =>
                        void change.send({ id: row.id, to: event.currentTarget.value as 'admin' })
                      }
                      data={ROLES.map((value) => ({ value, label: say(`role.is.${value}`) }))}
                    />
                  ),
              },
              {
                title: say('till.lastSeen'),
                cell: ({ last_active }) => <Ago at={last_active} />,
                isExtra: true,
              },
              {
                title: say('actions'),
                isActions: true,
                cell: (row) =>
                  row.id !== user.id && (
                    <NamedButton
                      name={row.email}
                      isOff={change.isBusy}
                      onClick={() => {
                        if (confirm(say('team.remove.ask', { name: row.email })))
                          void change.send({ id: row.id, to: null });
                      }}
                    >
                      {say('remove')}
                    </NamedButton>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      <Panel title={say('team.invite')}>
        <form className="row row-end" onSubmit={submit}>
          <TextInput
            className="grow"
            type="email"
            label={say('signIn.email')}
            required
            value={email}
            error={troubleOf(invite.refused, 'email')}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <NativeSelect
            label={say('team.role')}
            value={role}
            onChange={(event) => setRole(event.currentTarget.value as 'admin')}
            data={ROLES.map((value) => ({ value, label: say(`role.is.${value}`) }))}
          />
          <Button type="submit" loading={invite.isBusy}>
            {say('team.send')}
          </Button>
        </form>
        {invite.refused !== null && !troubleOf(invite.refused, 'email') && (
          <Trouble error={invite.refused} />
        )}
        <Loaded query={invitations} lines={2}>
          {({ invitations: rows }) => (
            <ul className="plain-list">
              {rows.map((one) => (
                <li key={one.id}>
                  <span>
                    {one.email} <small>{say(`role.is.${one.role}`)}</small>
                    <br />
                    <small>{say('team.until', { day: format.day(one.expires_at) })}</small>
                  </span>
                  <NamedButton
                    name={one.email}
                    isOff={revoke.isBusy}
                    onClick={() => void revoke.send(one.id)}
                  >
                    {say('team.revoke')}
                  </NamedButton>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Panel>
    </>
  );
}
