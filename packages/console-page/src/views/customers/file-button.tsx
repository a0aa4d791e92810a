import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { Trouble } from '../../parts/loaded';
import { useWish } from '../../parts/wish';
import { fetchFile } from './download';

/** Gives what a list is of as a file. */
export function FileButton({
  kind,
  params,
}: {
  kind: 'statement' | 'redemptions';
  params: Record<string, string>;
}): ReactNode {
  const { laurel, language } = useConsole();
  const file = useWish(() => laurel.downloads.create({ kind, params }), fetchFile);
  return (
    <div>
      {file.refused !== null && <Trouble error={file.refused} />}
      <Button variant="default" loading={file.isBusy} onClick={() => void file.send(undefined)}>
        {language.say('customers.export')}
      </Button>
    </div>
  );
}
