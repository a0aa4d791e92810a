import type { Call } from '@laurel/client';
import { isLaurelError } from '@laurel/client';
import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { createContext, Fragment, type ReactNode, useContext, useRef, useState } from 'react';
import { useConsole } from '../console';
import { Notice } from './notice';

/** A row, and the name of the version that it is of. */
export type Seen<T> = T & { etag?: string };

/** Reads a row together with its version. */
export async function readSeen<T extends object>(call: Call<T>): Promise<Seen<T>> {
  const { data, response } = await call.withResponse();
  const etag = response.headers.get('etag');
  return etag === null ? data : { ...data, etag };
}

type Condition = { headers: Record<string, string> };

interface Edit {
  /** Says whether something is typed that is not saved yet. */
  hold(isDirty: boolean): void;
  /** Changes the row as it was when the work on it began: refused where somebody else was first. */
  change<T>(work: (condition: Condition) => Call<T>): Promise<T>;
  /** Drops what is typed and goes on with the row as it is by now. */
  takeTheirs(): Promise<void>;
  /** Keeps what is typed; the next change is one of the row as it is by now. */
  overrule(): Promise<void>;
}

const EditContext = createContext<Edit | null>(null);

/** The work on the row around it; null where something new is made. */
export const useEdit = (): Edit | null => useContext(EditContext);

/**
 * A form over a row that others may change at the same time. As long as nothing is typed it follows them; from then on it
 * keeps the row that was typed over, until that is saved or dropped.
 */
export function Editing<T extends object>({
  query,
  children,
}: {
  query: UseQueryResult<Seen<T>>;
  children: (row: T) => ReactNode;
}): ReactNode {
  const row = query.data!;
  const isDirty = useRef(false);
  const etag = useRef(row.etag);
  const [held, setHeld] = useState({ row, generation: 0 });
  if (row !== held.row && (!isDirty.current || row.etag === etag.current)) {
    const isForeign = row.etag !== etag.current;
    etag.current = row.etag;
    setHeld({ row, generation: held.generation + (isForeign ? 1 : 0) });
  }
  const edit: Edit = {
    hold(holds) {
      isDirty.current = holds;
    },
    async change(work) {
      const headers: Record<string, string> = etag.current ? { 'If-Match': etag.current } : {};
      const { data, response } = await work({ headers }).withResponse();
      etag.current = response.headers.get('etag') ?? etag.current;
      return data;
    },
    async takeTheirs() {
      isDirty.current = false;
      const { data } = await query.refetch();
      if (!data) return;
      etag.current = data.etag;
      setHeld(({ generation }) => ({ row: data, generation: generation + 1 }));
    },
    async overrule() {
      etag.current = (await query.refetch()).data?.etag;
    },
  };
  return (
    <EditContext.Provider value={edit}>
      <Fragment key={held.generation}>{children(held.row)}</Fragment>
    </EditContext.Provider>
  );
}

/** Whether a change was refused because somebody else was first. */
export const isOvertaken = (error: unknown): boolean =>
  isLaurelError(error) && error.status === 412;

/** Says who was first; nothing that was typed is lost. */
export function Overtaken({
  error,
  onAgain,
}: {
  error: unknown;
  /** Sends what is typed once more; left out where nothing is. */
  onAgain?: () => void;
}): ReactNode {
  const { language, user } = useConsole();
  const { say, time } = language;
  const edit = useEdit();
  const [problem] = isLaurelError(error) ? error.problems : [];
  const { changed_at, changed_by } = (problem ?? {}) as Overtaking;
  const at = time(changed_at ? new Date(changed_at) : new Date());
  const who = changed_by?.email ?? undefined;
  const said =
    changed_by?.id === user.id
      ? say('changed.you', { time: at })
      : who
        ? say('changed.by', { who, time: at })
        : say('changed.somebody');
  return (
    <Notice kind="bad">
      <p>{said}</p>
      <div className="row">
        <Button variant="default" size="xs" onClick={() => void edit?.takeTheirs()}>
          {say('changed.theirs')}
        </Button>
        {onAgain && (
          <Button variant="default" size="xs" onClick={() => void edit?.overrule().then(onAgain)}>
            {say('changed.mine')}
          </Button>
        )}
      </div>
    </Notice>
  );
}

interface Overtaking {
  changed_at?: string;
  changed_by?: { id: string | null; email: string | null };
}
