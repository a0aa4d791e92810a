import type { ReactNode } from 'react';
import { isOvertaken, Overtaken, type RefusedProps } from './editing';
import { Trouble } from './loaded';

/** Why a change was refused, where it was: what went wrong, or who was first. */
export function Refused(props: RefusedProps): ReactNode {
  if (props.error === null) return null;
  if (!isOvertaken(props.error)) return <Trouble error={props.error} />;
  return <Overtaken {...props} />;
}
