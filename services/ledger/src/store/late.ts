import type { Context } from '@laurel/lifecycle';

/** Whether the time of a caller is over: another replica may have been asked meanwhile, and have said another thing. */
export const isLate = ({ deadlineAt }: Context, now: number): boolean =>
  deadlineAt !== undefined && deadlineAt <= now;
