import type { StaffAppAction, StaffAppConfig } from '@laurel/client';
import { TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useChange } from '../../parts/change';
import { DeleteButton } from '../../parts/delete-button';
import { Editing, type Seen, useHold } from '../../parts/editing';
import { Notice } from '../../parts/notice';
import { Refused } from '../../parts/refused';
import { Sheet } from '../../parts/sheet';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';

interface ActionProps {
  action: StaffAppAction;
  onClose: () => void;
}

/** What a button of the till is called, and its end. */
export function ActionSheet({
  query,
  action: { id, name },
  onClose,
}: ActionProps & { query: UseQueryResult<Seen<StaffAppConfig>> }): ReactNode {
  const { say } = useConsole().language;
  return (
    <Sheet title={name} onClose={onClose}>
      <Editing query={query}>
        {({ actions }) => {
          const action = actions.find((one) => one.id === id);
          // A colleague may have been first.
          if (!action) return <Notice kind="warn">{say('refused.notFound')}</Notice>;
          return <ActionFields action={action} onClose={onClose} />;
        }}
      </Editing>
    </Sheet>
  );
}

function ActionFields({ action: { id, name }, onClose }: ActionProps): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const [typed, setTyped] = useState(name);
  useHold(typed !== name);
  const after = { forgets: ['till-config', 'overview'], onDone: onClose };
  const rename = useChange(
    (wanted: string, options) => laurel.staffAppConfig.updateAction(id, { name: wanted }, options),
    after,
  );
  const remove = useChange(
    (_: null, options) => laurel.staffAppConfig.deleteAction(id, options),
    after,
  );
  return (
    <div className="stack">
      <WishForm
        wish={rename}
        onSend={() => void rename.send(typed.trim())}
        button={say('save')}
        missing={typed.trim() === '' ? [say('name')] : []}
        fields={['name']}
      >
        <TextInput
          label={say('name')}
          description={say('till.action.hint')}
          required
          value={typed}
          error={troubleOf(rename.refused, 'name')}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </WishForm>
      <Refused error={remove.refused} />
      <div>
        <DeleteButton ask={say('till.action.delete.ask', { name })} wish={remove} />
      </div>
    </div>
  );
}
