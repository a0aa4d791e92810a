import { Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { FOUND_MAX, type Found, findEverywhere, placeOf } from '../api/find';
import { useConsole } from '../console';
import { useAsk } from '../parts/ask';
import { useGo } from '../parts/go';
import { Trouble } from '../parts/loaded';
import { useReturnedFocus } from '../parts/use-returned-focus';
import { useText } from '../text';
import { PAGES, PARTS } from './pages';

const PAUSE_MS = 150;
const TAB = '?tab=';

const keyOf = ({ type, id }: Found): string => `${type} ${id}`;

/** One field that finds whatever the workspace has by name, id, address or code, and opens the first on Enter. */
export function Finder({ onClose }: { onClose: () => void }): ReactNode {
  const { say } = useText();
  useReturnedFocus();
  const { laurel } = useConsole();
  const go = useGo();
  const [lost, setLost] = useState<unknown>(null);
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), PAUSE_MS);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isHurried, setHurried] = useState(false);
  const query = useAsk(['find', asked], (laurel) => findEverywhere(laurel, asked), {
    isWanted: asked.length > 1,
  });
  const typed = text.trim();
  const isSearch = typed.length > 1;
  // Until the answer to this text is there, what is shown is of an earlier one.
  const isAwaited = isSearch && (typed !== asked || query.isPending || query.isPlaceholderData);
  // Without a word the list is the navigation.
  const places: typeof PARTS = typed === '' ? PAGES : [...PAGES, ...PARTS];
  const pages = places
    .filter(({ word }) => say(word).toLowerCase().includes(typed.toLowerCase()))
    .map(({ to, tab, word }): Found => {
      const id = tab ? `${to}${TAB}${tab}` : to;
      return { type: 'page', id, title: say(word), subtitle: '' };
    });
  const hits = isSearch ? (query.data ?? []) : [];
  const found = [...hits.slice(0, FOUND_MAX), ...pages];
  const at = Math.max(
    0,
    found.findIndex((one) => keyOf(one) === chosen),
  );
  const open = (one: Found | undefined) => {
    if (!one) return;
    setLost(null);
    placeOf(laurel, one).then((place) => {
      const [to, tab] = place.split(TAB);
      onClose();
      go(to!, tab ? { tab } : {});
    }, setLost);
  };
  // Who types and presses Enter at once means the first of what is found for that.
  useEffect(() => {
    if (!isHurried || isAwaited) return;
    setHurried(false);
    if (!query.isError) open(found[0]);
  }, [isHurried, isAwaited]);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const next = found[Math.max(0, Math.min(found.length - 1, at + step))];
      setChosen(next ? keyOf(next) : null);
    } else if (event.key === 'Enter') {
      if (isAwaited && chosen === null) setHurried(true);
      else open(found[at]);
    }
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
              setChosen(null);
              setHurried(false);
            }}
            onKeyDown={press}
          />
          {query.isError && <Trouble error={query.error} />}
          {lost !== null && <Trouble error={lost} />}
          <ul className="found" aria-busy={isAwaited}>
            {found.map((one, index) => (
              <li key={keyOf(one)}>
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
            {found.length === 0 && !isAwaited ? say('find.nothing') : ''}
            {hits.length > FOUND_MAX && !isAwaited ? say('find.more') : ''}
          </p>
          {/* The arrows move what is marked, and the focus stays in the field. */}
          <p className="visually-hidden" role="status">
            {found.find((one) => keyOf(one) === chosen)?.title}
          </p>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
