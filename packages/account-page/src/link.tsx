import type { ComponentChildren, VNode } from 'preact';
import { usePage } from './context';

/** A link between these pages: without fetching them anew, but still a link to open elsewhere. */
export function Link({ to, children }: { to: string; children: ComponentChildren }): VNode {
  const { go } = usePage();
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} onClick={follow}>
      {children}
    </a>
  );
}
