import { type ReactNode, useEffect, useRef } from 'react';
import { useConsole } from '../console';
import { Go } from './go';

interface PageProps {
  title: string;
  /** One line below the title. */
  lead?: ReactNode;
  back?: { to: string; label: string };
  actions?: ReactNode;
  children: ReactNode;
}

/** What every page begins with; keyboard and screen reader start at its heading. */
export function Page({ title, lead, back, actions, children }: PageProps): ReactNode {
  const { workspace } = useConsole();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – ${workspace.name}`;
  }, [title]);
  useEffect(() => {
    // The first page of a visit is not taken away from the address bar.
    if (document.body.dataset.visited) heading.current?.focus({ preventScroll: true });
    document.body.dataset.visited = 'yes';
  }, []);
  return (
    <>
      <header className="page-head">
        <div>
          {back && (
            <Go to={back.to} className="back">
              ← {back.label}
            </Go>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** A card with a heading. */
export function Panel({
  title,
  aside,
  children,
  isWide = false,
}: {
  title?: string;
  aside?: ReactNode;
  children: ReactNode;
  isWide?: boolean;
}): ReactNode {
  return (
    <section className={isWide ? 'panel panel-wide' : 'panel'}>
      {title && (
        <div className="panel-head">
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}

/** Nothing there yet: what will be, and the one thing to do about it. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}): ReactNode {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}
