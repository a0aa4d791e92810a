import { isLaurelError } from '@laurel/client';
import { acting, command } from '../command';
import { Failed } from '../failures';
import { say } from '../output';
import { openSession, type Session } from '../session';
import type { Terminal } from '../terminal';

interface Check {
  name: string;
  isWell: boolean;
  /** How it is; where it is not well, what to do. */
  words: string;
}

const CLOCK_SECONDS_MAX = 30;
const ANSWER_MS_MAX = 10_000;
const LOCAL = /^(localhost|127\.|\[::1\])/;

export const doctor = (terminal: Terminal) =>
  acting(
    command({
      usage: 'doctor',
      summary: 'Check that everything is in order',
      examples: ['laurel doctor', 'laurel doctor --json | jq ".[] | select(.isWell | not)"'],
      notes: 'Each check that does not hold says what to do; the exit code is 1 then.',
    }),
    terminal,
    async (_, { options }) => {
      const session = await openSession(terminal, options);
      const checks = [
        ...(await checkPlatform(session.url)),
        await checkAccount(session),
        ...(session.workspace === undefined ? [noWorkspace] : await checkWorkspace(session)),
      ];
      const lines = checks.map(
        ({ name, isWell, words }) => `${isWell ? '✓' : '✗'} ${name}: ${words}`,
      );
      say(terminal, options, { data: checks, lines });
      if (checks.some(({ isWell }) => !isWell)) throw new Failed();
    },
  );

const noWorkspace: Check = {
  name: 'workspace',
  isWell: false,
  words: 'none is chosen; run laurel use',
};

async function checkPlatform(url: string): Promise<Check[]> {
  const { protocol, host } = new URL(url);
  const isPrivate = protocol === 'https:' || LOCAL.test(host);
  const line: Check = {
    name: 'line',
    isWell: isPrivate,
    words: isPrivate
      ? 'nobody can listen in'
      : `anybody on the way can read it: use https at ${host}`,
  };
  const response = await fetch(`${url.replace(/\/$/, '')}/health/dependencies`, {
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  }).catch(() => null);
  if (!response)
    return [line, { name: 'platform', isWell: false, words: `${url} does not answer` }];
  // A proxy on the way may leave out when it answered.
  const answeredAt = Date.parse(response.headers.get('date') ?? '') || Date.now();
  const skew = (answeredAt - Date.now()) / 1_000;
  const isSame = Math.abs(skew) < CLOCK_SECONDS_MAX;
  return [
    line,
    {
      name: 'platform',
      isWell: response.ok,
      words: response.ok ? 'all of it is there' : 'a part of it is away; look at its health page',
    },
    {
      name: 'clock',
      isWell: isSame,
      words: isSame
        ? 'as the platform’s'
        : `${Math.round(skew)} s off; signatures of webhooks will not hold: set it`,
    },
  ];
}

async function checkAccount({ laurel }: Session): Promise<Check> {
  const { email, email_verified: isVerified } = await laurel.user.getMe();
  return {
    name: 'account',
    isWell: isVerified,
    words: isVerified ? email : `${email} is not confirmed; open the link in the mail`,
  };
}

type Ask = (session: Session) => Promise<Omit<Check, 'name'>>;

/** What is set up in a workspace; each is asked for by itself, so that one fault hides no other. */
const ASKED: Readonly<Record<string, Ask>> = {
  workspace: async ({ laurel }) => {
    const { name, slug } = await laurel.workspaces.get();
    return { isWell: true, words: `${name} (${slug})` };
  },
  points: async ({ laurel }) => {
    const types = await laurel.walletTypes.list();
    const usual = types.find(({ is_default, active }) => is_default && active);
    return {
      isWell: usual !== undefined,
      words: usual
        ? `${usual.code} by default, of ${types.length} in all`
        : 'no active wallet type is the default one; make one',
    };
  },
  cards: async ({ laurel }) => {
    const { apple, google } = await laurel.passes.getWalletStatus();
    const missing = [
      ...apple.missing.map((part) => `Apple ${part}`),
      ...google.missing.map((part) => `Google ${part}`),
    ];
    const words = missing.length === 0 ? 'Apple and Google' : `missing: ${missing.join(', ')}`;
    return { isWell: missing.length === 0, words };
  },
  webhooks: async ({ laurel }) => {
    const webhooks = await laurel.webhooks.list().all();
    const ill = webhooks.filter(({ failing_since, disabled_at }) => failing_since ?? disabled_at);
    const words = ill.map(
      ({ url, disabled_at }) => `${url} ${disabled_at ? 'was switched off' : 'is failing'}`,
    );
    return {
      isWell: ill.length === 0,
      words: words.join('; ') || `${webhooks.length}, none of them failing`,
    };
  },
};

function checkWorkspace(session: Session): Promise<Check[]> {
  return Promise.all(
    Object.entries(ASKED).map(async ([name, ask]) => {
      try {
        return { name, ...(await ask(session)) };
      } catch (error) {
        if (!isLaurelError(error)) throw error;
        return { name, isWell: false, words: error.message };
      }
    }),
  );
}
