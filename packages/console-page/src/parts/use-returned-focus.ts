import { useEffect, useState } from 'react';

/**
 * Gives the focus back to what had it before a dialog was opened, once that is closed. Where this is gone, as a row that was
 * deleted in the dialog, the keyboard goes on in the page: browsers would begin above it.
 */
export function useReturnedFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (document.activeElement !== document.body) return;
      const isThere = opener instanceof HTMLElement && opener.matches('body *');
      const place = isThere ? opener : document.getElementById('main');
      place?.focus({ preventScroll: true });
    },
    [],
  );
}
