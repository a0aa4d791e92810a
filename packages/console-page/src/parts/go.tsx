import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { useIsHere } from './use-is-here';

export type Search = Readonly<Record<string, string | undefined>>;

interface GoProps extends ComponentPropsWithoutRef<'a'> {
  /** A path of the console, such as `/rules`. */
  to: string;
  search?: Search;
  children: ReactNode;
}

/** What is current says each link for itself; a tab is not current because its page is. */
const EXACT = { exact: true, includeSearch: true };

/** A link within the console; its code is fetched when somebody is about to follow it. */
export function Go({ to, search = {}, ...rest }: GoProps): ReactNode {
  return (
    <Link
      to={to as never}
      search={search as never}
      preload="intent"
      activeOptions={EXACT}
      {...(rest as object)}
    />
  );
}

/** What stands behind the question mark of the address: filters, tab, what is open. */
export function useSearch(): [Search, (change: Search) => void] {
  const location = useRouterState({ select: (state) => state.location });
  const navigate = useNavigate();
  const search = location.search as Search;
  const change = (by: Search) => {
    const entries = Object.entries({ ...search, ...by }).filter(([, value]) => value);
    void navigate({
      to: location.pathname as never,
      search: Object.fromEntries(entries) as never,
      replace: true,
    });
  };
  return [search, change];
}

interface Leaves {
  /** Without a question about what is typed: what it was typed over is gone. */
  ignoreBlocker?: true;
}

/** Goes on from where it is asked for: an answer that comes late takes no member away from the page they are at by then. */
export function useGo(leaves: Leaves = {}): (to: string, search?: Search) => void {
  const navigate = useNavigate();
  const isHere = useIsHere();
  return (to, search = {}) => {
    if (isHere.current) void navigate({ to: to as never, search: search as never, ...leaves });
  };
}

/** The part of the path that names what the page is about. */
export function usePathPart(at: number): string {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (
    path
      .replace(/^\/console/, '')
      .split('/')
      .filter(Boolean)[at] ?? ''
  );
}
