import type { Client } from '@laurel/client';
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { nameOf } from '../api/find';
import { useText } from '../text';
import { useAsk } from './ask';

const PAUSE_MS = 200;
const FOUND_MAX = 6;

/** One customer, found by a part of name, e-mail address or phone. */
export function ClientPicker({
  label,
  value,
  onChange,
  without,
}: {
  label: string;
  value: Client | null;
  onChange: (client: Client | null) => void;
  /** The id of somebody who makes no sense here. */
  without?: string;
}): ReactNode {
  const { say } = useText();
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), PAUSE_MS);
  const found = useAsk(
    ['picker', asked],
    // One more than is shown tells whether there are more; another may be who makes no sense here.
    (laurel) => laurel.clients.search({ q: asked, limit: FOUND_MAX + 2 }),
    { isWanted: asked.length > 1 && value === null },
  );
  if (value)
    return (
      <p className="row">
        <span>
          {label}: <b>{nameOf(value)}</b>
        </span>
        <button type="button" className="text-button" onClick={() => onChange(null)}>
          {say('change')}
        </button>
      </p>
    );
  const all = asked.length > 1 ? (found.data ?? []).filter(({ id }) => id !== without) : [];
  const shown = all.slice(0, FOUND_MAX);
  return (
    <div>
      <TextInput
        label={label}
        placeholder={say('picker.hint')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ul className="found">
        {shown.map((client) => (
          <li key={client.id}>
            <button type="button" className="found-one" onClick={() => onChange(client)}>
              <span>{nameOf(client)}</span>
              <small>{client.email ?? client.phone}</small>
            </button>
          </li>
        ))}
      </ul>
      <p className="hint" role="status">
        {asked.length > 1 && found.data && all.length === 0 ? say('find.nothing') : ''}
        {all.length > shown.length ? say('find.more') : ''}
      </p>
    </div>
  );
}
