import { Drawer } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { useText } from '../text';
import { useKeptFocus } from './use-kept-focus';
import { useReturnedFocus } from './use-returned-focus';

interface SheetProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  isWide?: boolean;
  /** What is shown once is on its way: a sheet that is closed meanwhile would lose it. */
  isAwaited?: boolean;
}

/** The second click of a double one on what opens a sheet falls beside it, and is no wish to close it. */
const DOUBLE_CLICK_MS = 600;

/** Something done beside the page, which stays where it is. Who leaves it is asked first where something typed would be lost. */
export function Sheet({
  title,
  onClose,
  children,
  isWide = false,
  isAwaited = false,
}: SheetProps): ReactNode {
  const { say } = useText();
  useReturnedFocus();
  const openedAt = useRef(Date.now());
  const typedInto = useRef(new Set<EventTarget>());
  // Fields that are gone were sent: what stands here instead is their answer.
  const isHeld = () => [...typedInto.current].some((field) => (field as Element).isConnected);
  const leave = () => {
    if (isAwaited) return;
    if (!isHeld() || confirm(say('leave'))) onClose();
  };
  // By the browser's own buttons the page goes from under the sheet; where the console itself goes on, all was sent.
  useBlocker({
    shouldBlockFn: ({ action }) =>
      action !== 'PUSH' && action !== 'REPLACE' && isHeld() && !confirm(say('leave')),
    enableBeforeUnload: false,
  });
  return (
    <Drawer.Root
      opened
      onClose={leave}
      closeOnClickOutside={false}
      position="right"
      size={isWide ? 720 : 480}
    >
      <Drawer.Overlay
        onClick={() => {
          if (Date.now() - openedAt.current > DOUBLE_CLICK_MS) leave();
        }}
      />
      <Drawer.Content aria-label={title}>
        {/* Its own element would be a second banner. */}
        <Drawer.Header component="div">
          <h2 className="sheet-title">{title}</h2>
          <Drawer.CloseButton aria-label={say('close')} />
        </Drawer.Header>
        <Drawer.Body
          ref={startInFirstField}
          onInput={(event: FormEvent) => typedInto.current.add(event.target)}
        >
          <Kept>{children}</Kept>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** Of a button that works, too, the focus stays in the sheet. */
function Kept({ children }: { children: ReactNode }): ReactNode {
  const area = useRef<HTMLDivElement>(null);
  useKeptFocus(area);
  return <div ref={area}>{children}</div>;
}

/** Where there is something to type, that begins at once; else the way out has the focus. */
function startInFirstField(body: HTMLElement | null): void {
  body?.querySelector('input:not([type=file]), textarea, select')?.setAttribute(AUTOFOCUS, '');
}

/** What the trap of the focus looks for. */
const AUTOFOCUS = 'data-autofocus';
