/** A private window has no worker: the till works, but needs the network to open. */
const worksWithout = (): undefined => undefined;

let waiting: ServiceWorker | null = null;
const listeners = new Set<() => void>();

/** Installs the service worker, and notices a newer one that waits for its turn. */
export function watchForUpdate(reload: () => void = () => location.reload()): void {
  if (!('serviceWorker' in navigator)) return;
  let isFirst = navigator.serviceWorker.controller === null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // The first worker of all takes over a page that is of its version already; a later one is the update that was asked for.
    if (!isFirst) reload();
    isFirst = false;
  });
  navigator.serviceWorker
    .register('/till/sw.js', { scope: '/till/' })
    .then((registration) => {
      const notice = (worker: ServiceWorker | null) => {
        if (!worker || !navigator.serviceWorker.controller) return;
        waiting = worker;
        for (const listener of listeners) listener();
      };
      notice(registration.waiting);
      registration.addEventListener('updatefound', () => {
        const worker = registration.installing;
        worker?.addEventListener('statechange', () => {
          if (worker.state === 'installed') notice(worker);
        });
      });
    })
    .catch(worksWithout);
}

export const hasUpdate = (): boolean => waiting !== null;
export const onUpdate = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** Takes the newer version, between two customers and never by itself. */
export const takeUpdate = (): void => waiting?.postMessage('take over');
