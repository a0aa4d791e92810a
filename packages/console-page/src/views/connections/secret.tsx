import { Button, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { Notice } from '../../parts/notice';
import { useToast } from '../../parts/toast';

/** What is shown once and never again. */
export function Secret({ value }: { value: string }): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const toast = useToast();
  return (
    <>
      <Notice kind="warn">{say('secret.once')}</Notice>
      <div className="row row-end">
        <TextInput className="grow" label={say('secret.label')} readOnly value={value} />
        <Button
          variant="default"
          onClick={() =>
            void navigator.clipboard.writeText(value).then(() => toast({ text: say('copied') }))
          }
        >
          {say('copy')}
        </Button>
      </div>
    </>
  );
}
