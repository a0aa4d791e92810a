import type { ListenOptions, Server } from 'node:net';

/** What can listen: an HTTP server, too. */
export type Listener = Server;

/** Resolves with the listener once it has its place; rejects where somebody else has it. */
export function listen<One extends Listener>(listener: One, place: ListenOptions): Promise<One> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(place, () => {
      listener.off('error', reject);
      resolve(listener);
    });
  });
}
