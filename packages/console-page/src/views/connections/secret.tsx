import type { ReactNode } from 'react';
import { CopyText } from '../../parts/copy-text';
import { Notice } from '../../parts/notice';
import { useText } from '../../text';

/** What is shown once and never again. */
export function Secret({ value }: { value: string }): ReactNode {
  const { say } = useText();
  return (
    <>
      <Notice kind="warn">{say('secret.once')}</Notice>
      <CopyText label={say('secret.label')} value={value} />
    </>
  );
}
