import { useBlocker } from '@tanstack/react-router';
import { useText } from '../text';

/** Asks before a page is left on which something is typed and not saved; what is on its way is as good as saved. */
export function useAskedLeave(isDirty: boolean, isBusy: boolean): void {
  const { say } = useText();
  useBlocker({
    shouldBlockFn: () => isDirty && !isBusy && !confirm(say('leave')),
    enableBeforeUnload: () => isDirty,
  });
}
