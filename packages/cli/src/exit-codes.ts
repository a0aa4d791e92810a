/** How a command ended, as a shell reads it. The README and `laurel --help` list them. */
export const EXIT = {
  done: 0,
  /** The platform said no, or a check did not hold. */
  refused: 1,
  usage: 2,
  notSignedIn: 3,
  notReachable: 4,
  /** The workspace is otherwise than the files say. */
  changes: 5,
} as const;
