import type { ComponentChildren, VNode } from 'preact';

/** A sentence that a screen reader says at once. */
export function Notice({
  kind = 'plain',
  children,
}: {
  kind?: 'plain' | 'good' | 'bad';
  children: ComponentChildren;
}): VNode {
  return (
    <p class={`notice notice-${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </p>
  );
}
