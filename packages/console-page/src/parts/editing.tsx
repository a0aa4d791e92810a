import type { Call } from '@laurel/client';
import { isLaurelError } from '@laurel/client';
import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import {
  createContext,
  Fragment,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useConsole } from '../console';
import { Loading } from './loaded';
import { Notice } from './notice';

/** A row, and the name of the version that it is of. */
export type Seen<T> = T extends object ? T & { etag?: string } : T;

/** Reads a row together with its version. */
export async function readSeen<T extends object | null>(call: Call<T>): Promise<Seen<T>> {
  const { data, response } = await call.withResponse();
  const etag = response.headers.get('etag');
  return (etag === null || data === null ? data : { ...data, etag }) as Seen<T>;
}

/** The same of a row that may not be there yet: then as it would be. */
export async function readSeenOr<T extends object>(call: Call<T>, blank: T): Promise<Seen<T>> {
  try {
    return await readSeen(call);
  } catch (error) {
    if (!isLaurelError(error) || error.status !== 404) throw error;
    return blank as Seen<T>;
  }
}

type Condition = { headers: Record<string, string> };

interface Edit {
  /** Says whether a part of the page holds something typed that is not saved yet. */
  hold(part: string, isDirty: boolean): void;
  /** Changes the row as it was when the work on it began: refused where somebody else was first. */
  change<T>(work: (condition: Condition) => Call<T>): Promise<T>;
  /** Whether something is typed that would be lost. */
  isHeld(): boolean;
  /** Drops what is typed and goes on with the row as it is by now. */
  takeTheirs(): Promise<void>;
  /** Keeps what is typed; the next change is one of the row as it is by now. */
  overrule(): Promise<void>;
}

const EditContext = createContext<Edit | null>(null);

/** The work on the row around it; null where something new is made. */
export const useEdit = (): Edit | null => useContext(EditContext);

/** Keeps the row around it as it is for as long as something is typed over it. */
export function useHold(isDirty: boolean): void {
  const edit = useEdit();
  const part = useId();
  useEffect(() => {
    edit?.hold(part, isDirty);
    return () => edit?.hold(part, false);
  }, [isDirty]);
}

/** About as tall as a form. */
const LINES = 4;

/**
 * A form over a row that others may change at the same time. As long as nothing is typed it follows them; from then on it
 * keeps the row that was typed over, until that is saved or dropped. A row that was changed since it was last read is not
 * shown as it was then: who is quick would be refused for their own change.
 */
export function Editing<T extends object>({
  query,
  children,
}: {
  query: UseQueryResult<Seen<T>>;
  children: (row: Seen<T>) => ReactNode;
}): ReactNode {
  const row = query.data!;
  const isRead = useRef(false);
  isRead.current ||= !query.isFetching;
  const typed = useRef(new Set<string>());
  const etag = useRef(row.etag);
  const [held, setHeld] = useState({ row, generation: 0 });
  if (row !== held.row && (typed.current.size === 0 || row.etag === etag.current)) {
    const isForeign = row.etag !== etag.current;
    etag.current = row.etag;
    setHeld({ row, generation: held.generation + (isForeign ? 1 : 0) });
  }
  const edit: Edit = {
    hold(part, isDirty) {
      if (isDirty) typed.current.add(part);
      else typed.current.delete(part);
    },
    isHeld: () => typed.current.size > 0,
    async change(work) {
      const { data, response } = await work(under(etag.current)).withResponse();
      etag.current = response.headers.get('etag') ?? etag.current;
      return data;
    },
    async takeTheirs() {
      typed.current.clear();
      const { data } = await query.refetch();
      if (!data) return;
      etag.current = data.etag;
      setHeld(({ generation }) => ({ row: data, generation: generation + 1 }));
    },
    async overrule() {
      const { data } = await query.refetch();
      etag.current = data?.etag;
      // Held from now on: seen only after one's own change, it would be taken for another's that came later.
      if (data) setHeld(({ generation }) => ({ row: data, generation }));
    },
  };
  if (!isRead.current) return <Loading lines={LINES} />;
  return (
    <EditContext.Provider value={edit}>
      <Fragment key={held.generation}>{children(held.row)}</Fragment>
    </EditContext.Provider>
  );
}

const under = (etag: string | undefined): Condition => ({
  headers: etag ? { 'If-Match': etag } : {},
});

/** No row is of this version. */
const ANOTHER = '"another"';

/**
 * A row of a list, which names no versions: that is asked for when the row is changed, which is refused where it is no longer
 * as the list shows it.
 */
export function Listed<T>({
  row,
  read,
  list,
  versionOf,
  children,
}: {
  row: T;
  read: () => Call<T>;
  list: UseQueryResult<unknown>;
  /** What is another one wherever the row is shown otherwise. */
  versionOf: (row: T) => string;
  children: ReactNode;
}): ReactNode {
  const shown = useRef({ row, version: versionOf(row) });
  if (shown.current.row !== row) shown.current = { row, version: versionOf(row) };
  const edit: Edit = {
    hold() {},
    isHeld: () => false,
    async change(work) {
      const { data: found, response } = await read().withResponse();
      const isAsShown = versionOf(found) === shown.current.version;
      const etag = response.headers.get('etag') ?? undefined;
      const changed = await work(under(isAsShown ? etag : ANOTHER));
      // So that it can be taken back before the list was asked again.
      if (changed) shown.current.version = versionOf(changed as unknown as T);
      return changed;
    },
    async takeTheirs() {
      await list.refetch();
    },
    async overrule() {
      await list.refetch();
    },
  };
  return <EditContext.Provider value={edit}>{children}</EditContext.Provider>;
}

/** Whether a change was refused because somebody else was first. */
export const isOvertaken = (error: unknown): boolean =>
  isLaurelError(error) && error.status === 412;

export interface RefusedProps {
  error: unknown;
  /** Sends what is typed once more over what somebody else did; left out where nothing is. */
  onAgain?: (() => void) | undefined;
  /** Once what somebody else did is shown. */
  onTheirs?: (() => void) | undefined;
}

/** Says who was first; nothing that was typed is lost. */
export function Overtaken({ error, onAgain, onTheirs }: RefusedProps): ReactNode {
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
      <p>
        {said} {say(onAgain ? 'changed.typed' : 'changed.look')}
      </p>
      <div className="row">
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            if (edit?.isHeld() && !confirm(say('changed.theirs.ask'))) return;
            void edit?.takeTheirs().then(() => onTheirs?.());
          }}
        >
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
