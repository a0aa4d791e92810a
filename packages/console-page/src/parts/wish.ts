import { newKey } from '@laurel/page-kit/new-key';
import { useRef, useState } from 'react';
import { inWords } from '../in-words';
import { isOpen, sayRefused } from '../refusals';
import { useText } from '../text';
import { useToast } from './toast';
import { useIsHere } from './use-is-here';

export interface Wish<Input> {
  isBusy: boolean;
  refused: unknown;
  /** Does nothing while it is being done. */
  send(input: Input): Promise<void>;
  /** Takes a refusal from the page. */
  forget(): void;
}

/**
 * Something that somebody wants done once. A second click does nothing; where no answer came, the next try is the same
 * wish under the same key, unless something else is wanted by then. Who has left what shows a refusal reads it in passing.
 */
export function useWish<Input, Result>(
  work: (
    input: Input,
    options: { idempotencyKey: string },
  ) => Promise<Result> | PromiseLike<Result>,
  onDone?: (result: Result, input: Input) => void | Promise<void>,
): Wish<Input> {
  const { say } = useText();
  const toast = useToast();
  const isHere = useIsHere();
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const isRunning = useRef(false);
  const kept = useRef<{ wanted: string; key: string } | null>(null);
  // The answer comes to the page as it is by then: what was typed meanwhile is of it.
  const done = useRef(onDone);
  done.current = onDone;
  return {
    isBusy,
    refused,
    forget: () => setRefused(null),
    async send(input) {
      if (isRunning.current) return;
      isRunning.current = true;
      setBusy(true);
      const wanted = JSON.stringify(input, asNamed) ?? '';
      if (kept.current?.wanted !== wanted) kept.current = { wanted, key: newKey() };
      try {
        const result = await work(input, { idempotencyKey: kept.current.key });
        kept.current = null;
        // Not before: what lies below a refusal would move under a second click.
        setRefused(null);
        await done.current?.(result, input);
      } catch (error) {
        if (!isOpen(error)) kept.current = null;
        setRefused(inWords(say, error));
        if (!isHere.current) toast({ text: sayRefused(say, error) });
      } finally {
        isRunning.current = false;
        setBusy(false);
      }
    },
  };
}

/** To JSON one file is like any other. */
const asNamed = (_name: string, value: unknown): unknown =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value;
