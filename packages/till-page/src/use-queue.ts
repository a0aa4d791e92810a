import { useEffect, useState } from 'preact/hooks';
import type { Wish } from './queue/machine';
import type { Queue } from './queue/queue';

const AGAIN_MS = 30_000;

export function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const follow = () => setOnline(navigator.onLine);
    addEventListener('online', follow);
    addEventListener('offline', follow);
    return () => {
      removeEventListener('online', follow);
      removeEventListener('offline', follow);
    };
  }, []);
  return isOnline;
}

/**
 * What waits. It is sent whenever that may have become possible: the network is back, the page is looked at, and now
 * and then in between, because a phone may have a network that leads nowhere.
 */
export function useWishes(queue: Queue, isPaired: boolean): readonly Wish[] {
  const [wishes, setWishes] = useState<readonly Wish[]>([]);
  useEffect(() => {
    const read = () => void queue.all().then(setWishes);
    read();
    return queue.subscribe(read);
  }, []);
  useEffect(() => {
    if (!isPaired) return;
    const drain = () => {
      if (!document.hidden) void queue.drain();
    };
    addEventListener('online', drain);
    document.addEventListener('visibilitychange', drain);
    const again = setInterval(drain, AGAIN_MS);
    return () => {
      removeEventListener('online', drain);
      document.removeEventListener('visibilitychange', drain);
      clearInterval(again);
    };
  }, [isPaired]);
  return wishes;
}
