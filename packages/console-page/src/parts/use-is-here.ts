import { type RefObject, useEffect, useRef } from 'react';

/** Whether what asks is on the page still, for answers that come late. */
export function useIsHere(): Readonly<RefObject<boolean>> {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return isHere;
}
