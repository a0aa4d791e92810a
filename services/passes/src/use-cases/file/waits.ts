import { platform, Refusal } from '@laurel/errors';
import { currentContext } from '@laurel/lifecycle';

/**
 * So many callers wait for pictures from elsewhere, of one workspace and of all. Each holds a place of the gateway for as
 * long as an address of a stranger takes to answer, whether another caller waits for the same or not. Jobs hold no place while
 * they wait.
 */
const WAITING_MAX = { ofOne: 8, ofAll: 40 };
const RETRY_SECONDS = 5;

/** One caller too many would wait for a picture from elsewhere. */
export class TooManyWait extends Refusal {
  constructor() {
    const message = 'too many pictures are being fetched; try again in a moment';
    super(platform.serviceUnavailable.definition, [{ message }], RETRY_SECONDS);
  }
}

/**
 * Which callers wait for pictures from elsewhere, each for several perhaps; refuses who would be one too many. A caller is an
 * operation: the id of a request is the caller's own to choose, and all of them could say the same.
 */
export function createWaits() {
  const waiting = new Map<string, Map<string, number>>();
  let all = 0;

  function begin(workspaceId: string, caller: string): void {
    const own = waiting.get(workspaceId) ?? new Map<string, number>();
    const pictures = own.get(caller) ?? 0;
    if (pictures === 0 && (own.size >= WAITING_MAX.ofOne || all >= WAITING_MAX.ofAll))
      throw new TooManyWait();
    if (pictures === 0) all += 1;
    waiting.set(workspaceId, own.set(caller, pictures + 1));
  }

  function end(workspaceId: string, caller: string): void {
    const own = waiting.get(workspaceId)!;
    const pictures = own.get(caller)! - 1;
    if (pictures > 0) return void own.set(caller, pictures);
    all -= 1;
    own.delete(caller);
    if (own.size === 0) waiting.delete(workspaceId);
  }

  return {
    async within<T>(workspaceId: string, wait: () => Promise<T>): Promise<T> {
      const { background, operationId } = currentContext();
      if (background) return wait();
      begin(workspaceId, operationId);
      try {
        return await wait();
      } finally {
        end(workspaceId, operationId);
      }
    },
  };
}

/** What a picture is, or null where one too many would wait for it: then `leaveOut` is called, and the card has to do without. */
export async function orLeftOut<T>(
  find: Promise<T>,
  leaveOut: () => void = () => undefined,
): Promise<T | null> {
  try {
    return await find;
  } catch (error) {
    if (!(error instanceof TooManyWait)) throw error;
    leaveOut();
    return null;
  }
}
