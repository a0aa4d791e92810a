import type { WorkspaceClone } from '@laurel/client';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { DecimalField } from '../../parts/decimal-field';
import { Trouble } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Panel } from '../../parts/page';
import { StillMissing } from '../../parts/still-missing';
import { useWish } from '../../parts/wish';
import { troubleOf } from '../../refusals';

const LOOK_MS = 1_000;

/** Makes a workspace that is set up like this one, and goes there when it is ready. */
export function Clone(): ReactNode {
  const { laurel, language, workspace } = useConsole();
  const { say } = language;
  const [name, setName] = useState(say('clone.proposed', { name: workspace.name }));
  const [members, setMembers] = useState<number | null>(0);
  const [sandbox, setSandbox] = useState(workspace.sandbox === true);
  const [begun, setBegun] = useState<WorkspaceClone | null>(null);
  const wish = useWish(
    (body: { name: string; members: number; sandbox: boolean }, options) =>
      laurel.workspaces.clone({ ...body, anonymised: true }, options),
    setBegun,
  );
  if (begun) return <Copying begun={begun} />;
  return (
    <Panel title={say('clone')}>
      <p>{say('clone.text')}</p>
      <TextInput
        label={say('clone.name')}
        required
        value={name}
        error={troubleOf(wish.refused, 'name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <DecimalField
        label={say('clone.members')}
        description={say('clone.members.hint')}
        value={members}
        error={troubleOf(wish.refused, 'members')}
        onChange={setMembers}
      />
      <Checkbox
        label={say('clone.sandbox')}
        checked={sandbox}
        onChange={(event) => setSandbox(event.currentTarget.checked)}
      />
      {['name', 'members'].every((field) => !troubleOf(wish.refused, field)) && wish.refused ? (
        <Trouble error={wish.refused} />
      ) : null}
      <StillMissing names={name.trim() === '' ? [say('clone.name')] : []} />
      <Button
        loading={wish.isBusy}
        disabled={name.trim() === ''}
        onClick={() => void wish.send({ name, members: members ?? 0, sandbox })}
      >
        {say('clone')}
      </Button>
    </Panel>
  );
}

function Copying({ begun }: { begun: WorkspaceClone }): ReactNode {
  const { laurel, language, chooseWorkspace } = useConsole();
  const { say } = language;
  const look = useAsk(['clone', begun.id], () => laurel.workspaces.getClone(begun.id), {
    everyMs: (found) => (found ?? begun).status === 'copying' && LOOK_MS,
  });
  const { status, problem } = look.data ?? begun;
  useEffect(() => {
    if (status === 'ready') chooseWorkspace(begun.id);
  }, [status]);
  return (
    <Notice kind={status === 'failed' ? 'bad' : 'plain'}>
      {status === 'failed'
        ? say('clone.failed', { problem: problem ?? '' })
        : say('clone.copying', { name: begun.name })}
    </Notice>
  );
}
