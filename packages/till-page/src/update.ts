/** A private window has no worker: the till works, but needs the network to open. */
const worksWithout = (): undefined => undefined;

let waiting: ServiceWorker | null = null;
const listeners = new Set<() => void>();

/** Installs the service worker, and notices a newer one that waits for its turn. */
export function watchForUpdate(): void {
  if (!('serviceWorker' in navigator)) return;
  const isFirst = navigator.serviceWorker.controller === null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (!isFirst) location.reload();
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
