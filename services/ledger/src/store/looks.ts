import type { Decide, Reversal } from './command';
import type { EntryDocument } from './documents';
import type { Task } from './lanes';

/** By what each of some commands decides. */
export type Deciding = (task: Task) => Decide;

/** Does what reversals must look up before they decide; where that fails, only theirs does. */
export async function deciding(tasks: Iterable<readonly Task[]>): Promise<Deciding> {
  const looked = new Map<Task, Decide>();
  const looks = [...tasks].flat().flatMap((task) => {
    const { command } = task;
    return 'look' in command ? [{ task, command }] : [];
  });
  await Promise.all(
    looks.map(async ({ task, command }) => void looked.set(task, await lookOf(command))),
  );
  return (task) => ('look' in task.command ? looked.get(task)! : task.command.decide);
}

async function lookOf({ look }: Reversal): Promise<Decide> {
  try {
    return (await look()) ?? (() => null);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Whether a command reverses what one of some entries that are not written yet reverses, too: its look does not know of that. */
export const overlooks = (
  { command }: Task,
  planned: readonly Pick<EntryDocument, 'type' | 'source_id'>[],
): boolean =>
  'look' in command &&
  planned.some(({ type, source_id }) => type === 'cancel' && source_id === command.reverses);
