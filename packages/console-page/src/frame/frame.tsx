import { NativeSelect, useMantineColorScheme } from '@mantine/core';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useConsole } from '../console';
import { LANGUAGES, languageName } from '../language';
import { Go } from '../parts/go';
import { useKeptFocus } from '../parts/use-kept-focus';
import { useText } from '../text';
import { Finder } from './finder';
import { KeyList } from './key-list';
import { PAGES } from './pages';
import { useKeys } from './use-keys';

/** What stands around every view: where one is, where one can go, who one is. */
export function Frame(): ReactNode {
  const { say } = useText();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [isOpen, setOpen] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const [isListing, setListing] = useState(false);
  useKeys({ onFind: () => setFinding(true), onList: () => setListing(true) });
  const main = useRef<HTMLElement>(null);
  useKeptFocus(main);
  useEffect(() => setOpen(false), [path]);
  const burger = useRef<HTMLButtonElement>(null);
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    setOpen(false);
    burger.current?.focus();
  };
  return (
    <div className={isOpen ? 'frame frame-open' : 'frame'}>
      <a className="skip" href="#main">
        {say('skip')}
      </a>
      <header className="bar">
        <button
          type="button"
          className="icon-button burger"
          ref={burger}
          onKeyDown={close}
          aria-expanded={isOpen}
          aria-controls="pages"
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden="true">☰</span>
          <span className="visually-hidden">{say('nav')}</span>
        </button>
        <Go to="/" className="brand">
          <img src="/console/icon.svg" alt="" width="28" height="28" />
          Laurel
        </Go>
        <button type="button" className="finder-button" onClick={() => setFinding(true)}>
          <span>{say('find')}</span>
          <kbd>Ctrl K</kbd>
        </button>
      </header>
      <aside className="side" id="pages" aria-label={say('sidebar')} onKeyDown={close}>
        <Workspaces />
        <nav aria-label={say('nav')}>
          {PAGES.map((page) => (
            <Go
              key={page.to}
              to={page.to}
              className="nav-link"
              aria-current={isAt(path, page) ? 'page' : undefined}
            >
              <svg className="nav-icon" viewBox="0 0 24 24" aria-hidden="true">
                <path d={page.icon} />
              </svg>
              {say(page.word)}
            </Go>
          ))}
        </nav>
        <Person onKeys={() => setListing(true)} />
      </aside>
      <main id="main" tabIndex={-1} ref={main}>
        <Outlet />
      </main>
      {isFinding && <Finder onClose={() => setFinding(false)} />}
      {isListing && <KeyList onClose={() => setListing(false)} />}
    </div>
  );
}

function isAt(path: string, { to, also = [] }: (typeof PAGES)[number]): boolean {
  const place = path.replace(/^\/console/, '') || '/';
  return to === '/' ? place === '/' : [to, ...also].some((one) => place.startsWith(one));
}

function Workspaces(): ReactNode {
  const { workspace, workspaces, chooseWorkspace } = useConsole();
  const { say } = useText();
  if (workspaces.length === 1) return <p className="workspace">{workspace.name}</p>;
  return (
    <NativeSelect
      label={say('workspace')}
      value={workspace.id}
      onChange={(event) => chooseWorkspace(event.currentTarget.value)}
      data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

function Person({ onKeys }: { onKeys: () => void }): ReactNode {
  const { user, language, chooseLanguage, signOut } = useConsole();
  const { say } = language;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className="person">
      <p title={user.email}>
        {[user.first_name, user.last_name].filter(Boolean).join(' ') || user.email}
      </p>
      <NativeSelect
        size="xs"
        aria-label={say('language')}
        value={language.locale.slice(0, 2)}
        onChange={(event) => chooseLanguage(event.currentTarget.value)}
        data={LANGUAGES.spoken.map((code) => ({ value: code, label: languageName(code) }))}
      />
      <NativeSelect
        size="xs"
        aria-label={say('scheme')}
        value={colorScheme}
        onChange={(event) => setColorScheme(event.currentTarget.value as 'auto')}
        data={(['auto', 'light', 'dark'] as const).map((value) => ({
          value,
          label: say(`scheme.${value}`),
        }))}
      />
      <div className="row">
        <button type="button" className="text-button" onClick={onKeys}>
          {say('keys')} <kbd>?</kbd>
        </button>
        <button type="button" className="text-button" onClick={signOut}>
          {say('signOut')}
        </button>
      </div>
    </div>
  );
}
