import type { ReactNode } from 'react';
import { Sheet } from '../parts/sheet';
import { useText } from '../text';
import { PAGES } from './pages';

/** What can be done by keyboard. */
export function KeyList({ onClose }: { onClose: () => void }): ReactNode {
  const { say } = useText();
  const keys: [string, string][] = [
    ['Ctrl K', say('keys.find')],
    ['/', say('keys.filter')],
    ['c', say('keys.create')],
    ['Ctrl S', say('keys.save')],
    ['Esc', say('keys.close')],
    ...PAGES.map(({ letter, word }): [string, string] => [`g ${letter}`, say(word)]),
  ];
  return (
    <Sheet title={say('keys')} onClose={onClose}>
      <dl className="keys">
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  );
}
