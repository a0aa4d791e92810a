import { useRef, useState } from './vendor/preact.js';

/**
 * Work that is done once at a time; what is asked for meanwhile is not heard. Its button is not disabled: that would take
 * the focus from it, and a keyboard would begin at the top of the page.
 */
export function useWorking(): [
  isWorking: boolean,
  during: (work: () => Promise<void>) => Promise<void>,
] {
  const [isWorking, setWorking] = useState(false);
  // State arrives with the next drawing; two taps may come before it.
  const running = useRef(false);
  const during = async (work: () => Promise<void>) => {
    if (running.current) return;
    running.current = true;
    setWorking(true);
    try {
      await work();
    } finally {
      running.current = false;
      setWorking(false);
    }
  };
  return [isWorking, during];
}
