import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../text';

interface SheetProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Before what was typed is lost. */
  isWide?: boolean;
}

/** Something done beside the page, which stays where it is. */
export function Sheet({ title, onClose, children, isWide = false }: SheetProps): ReactNode {
  const { say } = useText();
  return (
    <Drawer.Root opened onClose={onClose} position="right" size={isWide ? 720 : 480}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={title}>
        {/* Its own element would be a second banner. */}
        <Drawer.Header component="div">
          <h2 className="sheet-title">{title}</h2>
          <Drawer.CloseButton aria-label={say('close')} />
        </Drawer.Header>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
