import type { ReactNode } from 'react';

/** A button in words, of which each row has one: those who listen hear what it is for. */
export function NamedButton({
  name,
  isOff = false,
  onClick,
  children,
}: {
  /** What the row is about. */
  name: string;
  isOff?: boolean;
  onClick: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <button type="button" className="text-button" disabled={isOff} onClick={onClick}>
      {children}
      <span className="visually-hidden">: {name}</span>
    </button>
  );
}
