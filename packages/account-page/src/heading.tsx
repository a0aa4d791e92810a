import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';

/** The heading of a view, which gives the page its title and takes the focus when the view is new. */
export function Heading({
  text,
  takesFocus = false,
}: {
  text: string;
  takesFocus?: boolean;
}): VNode {
  useEffect(() => {
    document.title = `${text} – Laurel`;
    if (takesFocus) document.querySelector('h1')?.focus();
  }, [text]);
  return <h1 tabIndex={-1}>{text}</h1>;
}
