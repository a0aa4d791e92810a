import { mayFail } from './may-fail';
/** Runs work of one key one after the other, in the order it came; different keys at the same time. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Keeps this process from competing with itself, or from overtaking itself, for one key. What work rejects with reaches
 * its asker alone: the next of the key has its turn all the same. Between replicas the guards in
 * the writes decide.
 */
export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work);
    const settled = mine.catch(mayFail('its caller hears of it')).then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    last.set(key, settled);
    return mine;
  };
}
