import { Laurel, type User } from '@laurel/client';
import { createPageSession, type SignedIn } from '@laurel/page-kit/session';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { createAuthorizedFetch } from './api/authorized-fetch';
import { loadStart, type Start } from './api/start';
import { type Console, ConsoleContext } from './console';
import { createFormat } from './format/format';
import { createKeptWorkspace } from './kept-workspace';
import { keepLocale, LANGUAGES, type Language, localeOf } from './language';
import { Notice } from './parts/notice';
import { SignIn, SignInAgain } from './parts/sign-in';
import { ToastRegion, useToast } from './parts/toast';
import { sayRefused } from './refusals';
import { router } from './routes';
import { TextContext } from './text';
import { errorColours, theme } from './theme';

type Account = SignedIn & { user: User };
const keptWorkspace = createKeptWorkspace();
/** The authorized fetch has limits of its own, which do not run while somebody signs in again. */
const PATIENCE_MS = 3_600_000;

export function App({ first, nonce }: { first: Language; nonce: string }): ReactNode {
  const [language, setLanguage] = useState(first);
  const chooseLanguage = (code: string) => {
    const locale = localeOf(code, navigator.languages);
    keepLocale(locale);
    void LANGUAGES.load(locale).then(setLanguage);
  };
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={errorColours}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <TextContext.Provider value={language}>
        <ToastRegion>
          <Doors language={language} chooseLanguage={chooseLanguage} />
        </ToastRegion>
      </TextContext.Provider>
    </MantineProvider>
  );
}

interface DoorsProps {
  language: Language;
  chooseLanguage(code: string): void;
}

/** Lets in who has a session, asks others for one, and asks again over the page when it ends. */
function Doors({ language, chooseLanguage }: DoorsProps): ReactNode {
  const [account, setAccount] = useState<Account | null | undefined>(undefined);
  const [start, setStart] = useState<Start | null>(null);
  const [refused, setRefused] = useState<unknown>(null);
  const [isAsking, setAsking] = useState(false);
  const waiting = useRef<(() => void)[]>([]);
  const goOn = useRef((_found: Account): void => undefined);
  const toast = useToast();
  const queries = useMemo(
    () =>
      new QueryClient({
        defaultOptions: { queries: { staleTime: 30_000, retry: false, gcTime: 600_000 } },
      }),
    [],
  );
  const session = useMemo(
    () =>
      createPageSession<Account>({
        place: '/auth/session',
        carry: (access) => ({ Authorization: `Bearer ${access}` }),
        onEnded: () => location.reload(),
        onElsewhere: (found) => goOn.current(found),
        personOf: ({ user }) => user.id,
      }),
    [],
  );
  const authorized = useMemo(
    () =>
      createAuthorizedFetch(session, () => {
        setAsking(true);
        return new Promise((resolve) => void waiting.current.push(resolve));
      }),
    [],
  );
  const laurelOf = (workspace?: string) =>
    new Laurel({
      baseUrl: location.origin,
      fetch: authorized,
      timeoutMs: PATIENCE_MS,
      ...(workspace ? { workspace } : {}),
    });

  async function begin(user: User, wanted = keptWorkspace.read()): Promise<void> {
    setRefused(null);
    try {
      const found = await loadStart(laurelOf, user, wanted);
      if (found.within) keptWorkspace.open(found.within.workspace.id);
      setStart(found);
    } catch (error) {
      setRefused(error);
    }
  }
  const letGo = () => {
    setAsking(false);
    for (const go of waiting.current.splice(0)) go();
  };
  // One sign-in is enough for all tabs of a browser.
  goOn.current = (found) => {
    if (account === null) {
      setAccount(found);
      void begin(found.user);
    }
    letGo();
  };
  useEffect(() => {
    session.resume().then(
      (found) => {
        setAccount(found);
        if (found) void begin(found.user);
      },
      (error: unknown) => setRefused(error),
    );
  }, []);

  const signOut = () =>
    void session.signOut().then(
      () => location.assign('/sign-in'),
      // Who walks away from the desk must know that they are still signed in.
      (error: unknown) => toast({ text: sayRefused(language.say, error) }),
    );
  const within = start?.within;
  const shown = useMemo<Console | null>(() => {
    if (!start || !within) return null;
    const { workspace, settings } = within;
    return {
      ...start,
      ...within,
      language,
      format: createFormat(language.locale, settings.timezone, settings.default_currency),
      laurel: laurelOf(workspace.id),
      fetch: authorized,
      chooseLanguage,
      chooseWorkspace: (id) => {
        keptWorkspace.choose(id);
        location.assign('/console');
      },
      signOut,
    };
  }, [start, language]);

  const { say } = language;
  if (refused !== null)
    return (
      <main className="door">
        <Notice kind="bad">{sayRefused(say, refused)}</Notice>
        <button type="button" className="text-button" onClick={() => location.reload()}>
          {say('retry')}
        </button>
      </main>
    );
  if (account === null)
    return (
      <SignIn
        onSignIn={async (proof) => {
          const found = await session.signIn(proof);
          setAccount(found);
          await begin(found.user);
        }}
      />
    );
  if (!start) return <main className="door" aria-busy="true" />;
  if (!shown)
    return (
      <main className="door">
        <h1>{say('noWorkspace.title')}</h1>
        <p>{say('noWorkspace.text')}</p>
        <a href="/welcome">{say('noWorkspace.go')}</a>
        <button type="button" className="text-button" onClick={signOut}>
          {say('signOut')}
        </button>
      </main>
    );
  return (
    <ConsoleContext.Provider value={shown}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        {isAsking && (
          <SignInAgain
            email={start.user.email}
            onSignIn={async (proof) => {
              await session.signIn(proof);
              letGo();
            }}
          />
        )}
      </QueryClientProvider>
    </ConsoleContext.Provider>
  );
}
