import type { StaffUser } from '@laurel/client';
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { useChange } from '../../parts/change';
import { DeleteButton } from '../../parts/delete-button';
import { Editing, readSeen, useHold } from '../../parts/editing';
import { Loaded } from '../../parts/loaded';
import { Refused } from '../../parts/refused';
import { Sheet } from '../../parts/sheet';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';
import { staffName } from './staff-name';

const FIELDS = ['first_name', 'last_name', 'email', 'phone'] as const;

interface StaffProps {
  user: StaffUser;
  onClose: () => void;
}

/** Whom a till belongs to: a name put right, another address, or somebody who left. */
export function StaffSheet({ user, onClose }: StaffProps): ReactNode {
  const { laurel } = useConsole();
  const known = useAsk(['staff', user.id, 'seen'], () => readSeen(laurel.staffUsers.get(user.id)));
  return (
    <Sheet title={staffName(user)} onClose={onClose}>
      <Loaded query={known}>
        {() => (
          <Editing query={known}>{(row) => <StaffFields user={row} onClose={onClose} />}</Editing>
        )}
      </Loaded>
    </Sheet>
  );
}

function StaffFields({ user, onClose }: StaffProps): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const [draft, setDraft] = useState<Partial<Record<(typeof FIELDS)[number], string>>>({});
  useHold(Object.keys(draft).length > 0);
  const after = { forgets: ['staff'], onDone: onClose };
  const save = useChange((_: null, options) => {
    const typed = Object.entries(draft).map(([name, text]) => [name, text.trim() || null]);
    return laurel.staffUsers.update(user.id, Object.fromEntries(typed), options);
  }, after);
  const remove = useChange((_: null, options) => laurel.staffUsers.delete(user.id, options), after);
  return (
    <div className="stack">
      <WishForm
        wish={save}
        onSend={() => void save.send(null)}
        button={say('save')}
        fields={FIELDS}
      >
        {FIELDS.map((field) => (
          <TextInput
            key={field}
            label={say(`customer.${field}`)}
            type={field === 'email' ? 'email' : 'text'}
            value={draft[field] ?? user[field] ?? ''}
            error={troubleOf(save.refused, field)}
            onChange={(event) => setDraft({ ...draft, [field]: event.currentTarget.value })}
          />
        ))}
      </WishForm>
      <Refused error={remove.refused} />
      <div>
        <DeleteButton ask={say('till.remove.ask', { name: staffName(user) })} wish={remove} />
      </div>
    </div>
  );
}
