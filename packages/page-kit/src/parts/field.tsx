import type { ComponentChildren, InputHTMLAttributes, VNode } from 'preact';
import { useId } from 'preact/hooks';

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> {
  label: string;
  name: string;
  hint?: ComponentChildren;
  /** What is wrong with what was typed; stays until it is sent again. */
  trouble?: string | undefined;
  /** Beside the input, e.g. a button that shows a password. */
  beside?: ComponentChildren;
}

/** A labelled input with its hint, and what is wrong with it, where a screen reader finds them. */
export function Field({ label, hint, trouble, beside, ...input }: FieldProps): VNode {
  const id = useId();
  const described = [hint && `${id}-hint`, trouble && `${id}-trouble`].filter(Boolean).join(' ');
  return (
    <div class={`field ${trouble ? 'field-wrong' : ''}`}>
      <label for={id}>{label}</label>
      <div class="field-input">
        <input
          {...input}
          id={id}
          aria-invalid={trouble ? true : undefined}
          aria-describedby={described || undefined}
        />
        {beside}
      </div>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {trouble && (
        <p class="trouble" id={`${id}-trouble`}>
          {trouble}
        </p>
      )}
    </div>
  );
}
