import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { FinalSheet } from '../../parts/final-sheet';
import { Panel } from '../../parts/page';
import { useWish } from '../../parts/wish';

/** The end of a workspace, by the one who made it. */
export function DeleteWorkspace(): ReactNode {
  const { laurel, language, workspace } = useConsole();
  const { say } = language;
  const [isAsked, setAsked] = useState(false);
  const wish = useWish(
    (confirm_slug: string, options) => laurel.workspaces.delete({ confirm_slug }, options),
    // Another one opens, where there is one.
    () => location.assign('/console'),
  );
  return (
    <Panel title={say('end')}>
      <p>{say('end.text')}</p>
      <div>
        <Button color="red" variant="outline" onClick={() => setAsked(true)}>
          {say('end')}
        </Button>
      </div>
      {isAsked && (
        <FinalSheet
          title={say('end')}
          name={workspace.name}
          wish={wish}
          onDo={() => void wish.send(workspace.slug)}
          onClose={() => setAsked(false)}
        >
          {say('end.ask')}
        </FinalSheet>
      )}
    </Panel>
  );
}
