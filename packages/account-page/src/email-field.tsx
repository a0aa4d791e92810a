import { Field } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { usePage } from './context';

interface EmailFieldProps {
  trouble?: string | undefined;
  /** The one address that it can be, as of an invitation. */
  only?: string | undefined;
}

/** The address that an account is known by. */
export function EmailField({ trouble, only }: EmailFieldProps): VNode {
  const { say } = usePage().language;
  return (
    <Field
      label={say('email')}
      name="email"
      type="email"
      autocomplete="username"
      required
      maxLength={255}
      trouble={trouble}
      {...(only ? { value: only, readOnly: true } : {})}
    />
  );
}
