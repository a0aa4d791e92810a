import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import { useText } from '../text';

interface Toast {
  text: string;
  /** Takes back what was just done. */
  undo?: () => void;
}

/** As long as an undo is offered. */
const SHOWN_MS = 8_000;
const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

/** Says in passing that something was done, and offers to take it back. */
export const useToast = () => useContext(ToastContext);

export function ToastRegion({ children }: { children: ReactNode }): ReactNode {
  const { say } = useText();
  const [toast, setToast] = useState<Toast | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = useMemo(
    () => (next: Toast) => {
      clearTimeout(timer.current);
      setToast(next);
      timer.current = setTimeout(() => setToast(null), SHOWN_MS);
    },
    [],
  );
  return (
    <ToastContext.Provider value={show}>
      {children}
      <section className="toasts" role="status" aria-label={say('toasts')}>
        {toast && (
          <div className="toast">
            <span>{toast.text}</span>
            {toast.undo && (
              <button
                type="button"
                className="text-button"
                onClick={() => {
                  toast.undo?.();
                  setToast(null);
                }}
              >
                {say('undo')}
              </button>
            )}
            <button
              type="button"
              className="icon-button"
              aria-label={say('close')}
              onClick={() => setToast(null)}
            >
              ×
            </button>
          </div>
        )}
      </section>
    </ToastContext.Provider>
  );
}
