import { PasswordField } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from './context';

/** As the platform asks it of a password (part 3, section 2). */
const LENGTH_MIN = 10;
const LENGTH_GOOD = 16;

/** A password that is being chosen: how long it must be, and how it stands, in words; no rules of composition. */
export function NewPasswordField({ trouble }: { trouble?: string | undefined }): VNode {
  const { say } = usePage().language;
  const [length, setLength] = useState(0);
  const word =
    length === 0 || length < LENGTH_MIN
      ? say('password.rule', { count: Math.max(LENGTH_MIN - length, 0) })
      : say(length < LENGTH_GOOD ? 'password.fair' : 'password.strong');
  return (
    <PasswordField
      label={say('password.new')}
      name="password"
      autocomplete="new-password"
      required
      minLength={LENGTH_MIN}
      maxLength={1024}
      onInput={(event) => setLength([...event.currentTarget.value].length)}
      hint={<span aria-live="polite">{word}</span>}
      trouble={trouble}
      words={{ show: say('password.show'), hide: say('password.hide') }}
    />
  );
}
