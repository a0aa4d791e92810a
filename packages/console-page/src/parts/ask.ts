import type { Laurel } from '@laurel/client';
import {
  keepPreviousData,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useConsole } from '../console';

type Period = number | false;

/**
 * Something that a view wants to know; kept for half a minute, and asked for again when the page is looked at again.
 *
 * @param key names it within the workspace
 * @param wanted `everyMs` may go by what was found last: false once nothing changes by itself any more; `isOnce` where to ask is to
 *   change something: then nothing asks again but the member, and nothing is kept
 */
export function useAsk<T>(
  key: readonly unknown[],
  ask: (laurel: Laurel, signal: AbortSignal) => Promise<T> | PromiseLike<T>,
  {
    isWanted = true,
    everyMs = false,
    isOnce = false,
  }: {
    isWanted?: boolean;
    everyMs?: Period | ((found: T | undefined) => Period);
    isOnce?: boolean;
  } = {},
): UseQueryResult<T> {
  const { laurel, workspace } = useConsole();
  return useQuery<T>({
    queryKey: [workspace.id, ...key],
    queryFn: async ({ signal }) => await ask(laurel, signal),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    refetchInterval: typeof everyMs === 'function' ? ({ state }) => everyMs(state.data) : everyMs,
    ...(isOnce ? { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 } : {}),
  }) as UseQueryResult<T>;
}

/** Makes views ask again for all that begins with these names. Resolves when those that are looked at have their answers. */
export function useAskAgain(): (...names: string[]) => Promise<void> {
  const { workspace } = useConsole();
  const queries = useQueryClient();
  return async (...names) => {
    // Whatever was changed is in the log of changes.
    const forgotten = [...names, 'audit'].map((name) =>
      queries.invalidateQueries({ queryKey: [workspace.id, name] }),
    );
    await Promise.all(forgotten);
  };
}

/** The same for who waits for no answer. */
export function useForget(): (...names: string[]) => void {
  const askAgain = useAskAgain();
  return (...names) => void askAgain(...names);
}
