import type { ReactNode } from 'react';
import { isOvertaken, Overtaken } from './editing';
import { Trouble } from './loaded';

/** Why a change was refused, where it was: what went wrong, or who was first. */
export function Refused({
  error,
  onAgain,
  onTheirs,
}: {
  error: unknown;
  /** Sends what is typed once more over what somebody else did; left out where nothing is. */
  onAgain?: (() => void) | undefined;
  /** Once what somebody else did is shown. */
  onTheirs?: (() => void) | undefined;
}): ReactNode {
  if (error === null) return null;
  if (!isOvertaken(error)) return <Trouble error={error} />;
  return <Overtaken error={error} onAgain={onAgain} onTheirs={onTheirs} />;
}
