import type { ReactNode } from 'react';
import { Go } from '../parts/go';
import { Empty, Page } from '../parts/page';
import { useText } from '../text';

/** An address that leads nowhere. */
export function Lost(): ReactNode {
  const { say } = useText();
  return (
    <Page title={say('lost.title')}>
      <Empty title={say('lost.text')} action={<Go to="/">{say('nav.overview')}</Go>} />
    </Page>
  );
}
