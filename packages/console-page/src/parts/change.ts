import type { Call } from '@laurel/client';
import { useAskAgain } from './ask';
import { useEdit } from './editing';
import { useToast } from './toast';
import { useWish, type Wish } from './wish';

interface ChangeOptions {
  idempotencyKey: string;
  /** The condition under which a row that is there is changed. */
  headers?: Record<string, string>;
}

interface AfterChange<Input, Result> {
  /** The views that show what was changed. */
  forgets: readonly string[];
  /** What is said in passing. */
  says?: (result: Result) => string;
  onDone?: (result: Result, input: Input) => void;
  /** Drops what was typed: the row that shows then has what is saved. */
  settles?: (sent: Input) => void;
}

/**
 * A change that somebody wants of the row around it, refused where somebody else was first; of something new where there is
 * none. Once it is done all that shows it asks again.
 */
export function useChange<Input, Result>(
  work: (input: Input, options: ChangeOptions) => Call<Result>,
  { forgets, says, onDone, settles }: AfterChange<Input, Result>,
): Wish<Input> {
  const edit = useEdit();
  const askAgain = useAskAgain();
  const toast = useToast();
  return useWish(
    (input: Input, options) =>
      edit
        ? edit.change((condition) => work(input, { ...options, ...condition }))
        : work(input, options),
    (result, input) => {
      onDone?.(result, input);
      const asked = askAgain(...forgets);
      if (says) toast({ text: says(result) });
      return settles && asked.then(() => settles(input));
    },
  );
}
