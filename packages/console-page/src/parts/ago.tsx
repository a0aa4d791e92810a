import type { ReactNode } from 'react';
import { useConsole } from '../console';

/** How long ago something was, and in its title when, by the zone of the workspace; "never" where it never was. */
export function Ago({ at }: { at: string | null | undefined }): ReactNode {
  const { format, language } = useConsole();
  if (!at) return language.say('never');
  return (
    <time dateTime={at} title={format.moment(at)}>
      {format.ago(at)}
    </time>
  );
}
