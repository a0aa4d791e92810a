import type { ButtonHTMLAttributes, ComponentChildren, VNode } from 'preact';

/** The one button of a form, busy while it works: a second click does nothing. */
export function Button({
  isBusy = false,
  kind = 'main',
  children,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & {
  isBusy?: boolean;
  kind?: 'main' | 'quiet' | 'danger' | 'link';
  children: ComponentChildren;
}): VNode {
  return (
    <button
      type="submit"
      {...rest}
      class={`button button-${kind}`}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
    >
      {children}
    </button>
  );
}
