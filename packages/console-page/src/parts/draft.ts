import { useState } from 'react';
import { typedSince } from './typed-since';

export interface Draft<Row extends object> {
  /** What is typed and not saved yet. */
  draft: Partial<Row>;
  isDirty: boolean;
  /** Types over what is typed by now: an answer that comes late takes nothing back. */
  set(by: Partial<Row> | ((draft: Partial<Row>) => Partial<Row>)): void;
  drop(): void;
  /** Drops what is saved by now, and keeps what was typed since it was sent. */
  settle(sent: object): void;
}

/** What a form holds of a row that is not saved yet, member by member. */
export function useDraft<Row extends object>(first: Partial<Row> = {}): Draft<Row> {
  const [draft, setDraft] = useState(first);
  return {
    draft,
    isDirty: Object.keys(draft).length > 0,
    set: (by) => setDraft((now) => ({ ...now, ...(typeof by === 'function' ? by(now) : by) })),
    drop: () => setDraft({}),
    settle: (sent) => setDraft((now) => typedSince(now, sent)),
  };
}
