import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Field, type FieldProps } from './field';

/** A password that can be looked at while it is typed; pasting and password managers are welcome. */
export function PasswordField({
  words,
  ...field
}: FieldProps & { words: { show: string; hide: string } }): VNode {
  const [isShown, show] = useState(false);
  return (
    <Field
      {...field}
      type={isShown ? 'text' : 'password'}
      autocapitalize="none"
      spellcheck={false}
      beside={
        <button
          type="button"
          class="button button-quiet"
          aria-pressed={isShown}
          onClick={() => show(!isShown)}
        >
          {isShown ? words.hide : words.show}
        </button>
      }
    />
  );
}
