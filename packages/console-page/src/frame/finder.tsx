import { Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { type Found, findEverywhere, placeOf } from '../api/find';
import { useConsole } from '../console';
import { useAsk } from '../parts/ask';
import { useGo } from '../parts/go';
import { Trouble } from '../parts/loaded';
import { useText } from '../text';
import { PAGES, PARTS } from './pages';

const PAUSE_MS = 150;
const TAB = '?tab=';

/** One field that finds whatever the workspace has by name, id, address or code, and opens the first on Enter. */
export function Finder({ onClose }: { onClose: () => void }): ReactNode {
  const { say } = useText();
  const { laurel } = useConsole();
  const go = useGo();
  const [lost, setLost] = useState<unknown>(null);
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), PAUSE_MS);
  const [at, setAt] = useState(0);
  const query = useAsk(['find', asked], (laurel) => findEverywhere(laurel, asked), {
    isWanted: asked.length > 1,
  });
  // Without a word the list is the navigation.
  const places: typeof PARTS = text.trim() === '' ? PAGES : [...PAGES, ...PARTS];
  const pages = places
    .filter(({ word }) => say(word).toLowerCase().includes(text.trim().toLowerCase()))
    .map(({ to, tab, word }): Found => {
      const id = tab ? `${to}${TAB}${tab}` : to;
      return { type: 'page', id, title: say(word), subtitle: '' };
    });
  const found = [...(asked.length > 1 ? (query.data ?? []) : []), ...pages];
  const open = (one: Found | undefined) => {
    if (!one) return;
    setLost(null);
    placeOf(laurel, one).then((place) => {
      const [to, tab] = place.split(TAB);
      onClose();
      go(to!, tab ? { tab } : {});
    }, setLost);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(found.length - 1, at + step)));
    } else if (event.key === 'Enter') open(found[at]);
  };
  return (
    <Modal.Root opened onClose={onClose} size="lg">
      <Modal.Overlay />
      <Modal.Content aria-label={say('find')}>
        <Modal.Body>
          <TextInput
            data-autofocus
            label={say('find')}
            placeholder={say('find.hint')}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setAt(0);
            }}
            onKeyDown={press}
          />
          {query.isError && <Trouble error={query.error} />}
          {lost !== null && <Trouble error={lost} />}
          <ul className="found">
            {found.map((one, index) => (
              <li key={`${one.type} ${one.id}`}>
                <button
                  type="button"
                  className={index === at ? 'found-one found-at' : 'found-one'}
                  onClick={() => open(one)}
                >
                  <span>{one.title}</span>
                  <small>
                    {[say(`found.${one.type}`), one.subtitle].filter(Boolean).join(' · ')}
                  </small>
                </button>
              </li>
            ))}
          </ul>
          <p className="hint" role="status">
            {found.length === 0 && !query.isFetching ? say('find.nothing') : ''}
          </p>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
