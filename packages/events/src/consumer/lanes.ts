export type Lanes = (key: string, task: () => Promise<void>) => Promise<void>;

/**
 * Runs tasks of one key one after the other, in the order they came, and tasks of different keys at
 * the same time. Tasks must not reject.
 */
export function createLanes(): Lanes {
  const last = new Map<string, Promise<void>>();
  return (key, task) => {
    const next = (last.get(key) ?? Promise.resolve()).then(task).then(() => {
      if (last.get(key) === next) last.delete(key);
    });
    last.set(key, next);
    return next;
  };
}
