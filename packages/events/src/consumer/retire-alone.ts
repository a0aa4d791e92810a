import type { Broker } from '../broker/broker';

/** Does its part in ending a queue while no other replica does; one that is at it may die, so that it is to be tried again. */
export async function retireAlone(
  broker: Broker,
  queue: string,
  work: () => Promise<void>,
): Promise<void> {
  const lock = await broker.takeLock(`${queue}.retiring`);
  if (!lock) return;
  try {
    await work();
  } finally {
    await lock.release();
  }
}
