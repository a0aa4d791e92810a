import type { ReactNode } from 'react';
import { Go, useSearch } from './go';

/** Parts of one page; which is shown stands in the address. */
export function Tabs({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly { id: string; title: string; view: () => ReactNode }[];
}): ReactNode {
  const [search] = useSearch();
  const current = tabs.find(({ id }) => id === search.tab) ?? tabs[0]!;
  return (
    <>
      <nav className="tabs" aria-label={label}>
        {tabs.map(({ id, title }) => (
          <Go
            key={id}
            to="."
            search={id === tabs[0]!.id ? {} : { tab: id }}
            aria-current={id === current.id ? 'page' : undefined}
          >
            {title}
          </Go>
        ))}
      </nav>
      <div className="tab-view">{current.view()}</div>
    </>
  );
}

/** Pages that belong together, e.g. campaigns and segments. */
export function Siblings({
  label,
  pages,
}: {
  label: string;
  pages: readonly { to: string; title: string; isHere?: boolean }[];
}): ReactNode {
  return (
    <nav className="tabs" aria-label={label}>
      {pages.map(({ to, title, isHere }) => (
        <Go key={to} to={to} aria-current={isHere ? 'page' : undefined}>
          {title}
        </Go>
      ))}
    </nav>
  );
}
