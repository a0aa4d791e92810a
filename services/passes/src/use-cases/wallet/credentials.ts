import {
  appleFromSettings,
  type DeploymentSettings,
  googleFromSettings,
} from '../../outside/credentials/deployment';
import { makeLocalApple, makeLocalGoogle } from '../../outside/credentials/make-local';
import { chainProblems, validUntilOf } from '../../outside/credentials/read';
import type {
  AppleCredentials,
  GoogleCredentials,
  Readiness,
  Trusted,
} from '../../outside/credentials/types';
import type { CredentialsStore } from '../../store/credentials';
import { appleCertificateEnds } from '../../store/metrics';

export type Credentials = ReturnType<typeof createCredentials>;

/**
 * Finds what signs the passes of a workspace: its own credentials, else those of the deployment, else ones made here
 * that no phone trusts. The latter are made once and shared by all replicas.
 */
export function createCredentials({
  store,
  settings,
  clock,
}: {
  store: CredentialsStore;
  settings: DeploymentSettings;
  clock: { now(): Date };
}) {
  const { credentials: apple, isGiven } = appleFromSettings(settings, clock.now());
  const signsUntil = apple ? validUntilOf(apple)! : clock.now();
  if (isGiven) appleCertificateEnds.set(signsUntil.getTime() / 1_000);
  const google = googleFromSettings(settings);
  const localApple = once(async () => {
    const made = await store.local('apple', () => makeLocalApple(clock.now()), clock.now());
    return { ...made, ...namesIn(settings), trusted: false };
  });
  const localGoogle = once(() => store.local('google', makeLocalGoogle, clock.now()));
  const googleAccounts = async (workspaceId: string): Promise<GoogleCredentials[]> => {
    const own = await store.find<GoogleCredentials>(workspaceId, 'google');
    return [own, google.credentials].filter((account) => account !== null);
  };

  return {
    /**
     * One whose days are over goes on signing: phones know their cards by its pass type, and come back with it once it is
     * renewed. So does the pass type of settings that cannot sign.
     */
    async apple(workspaceId: string): Promise<Trusted<AppleCredentials>> {
      const own = await store.find<AppleCredentials>(workspaceId, 'apple');
      const given = own ?? apple;
      return given ? asTrusted(given, clock.now()) : localApple();
    },

    /**
     * All that cards of the workspace may have been issued by and can be changed by: its own certificate, and that of the
     * deployment. What new cards are issued by comes first.
     */
    async appleAccounts(workspaceId: string): Promise<Trusted<AppleCredentials>[]> {
      const own = await store.find<AppleCredentials>(workspaceId, 'apple');
      const given = [own, apple].filter((account) => account !== null && account !== undefined);
      if (given.length === 0) return [await localApple()];
      return given.map((account) => asTrusted(account, clock.now()));
    },

    /** By what the workspace gives Google passes that it does not have yet. */
    async google(workspaceId: string): Promise<Trusted<GoogleCredentials>> {
      const [account] = await googleAccounts(workspaceId);
      return account ? { ...account, trusted: true } : { ...(await localGoogle()), trusted: false };
    },

    /**
     * The accounts that Google takes something by: the workspace's own, and that of the deployment. What was issued by one of
     * them can be changed by none of another issuer.
     */
    googleAccounts,

    /** The workspace's own certificate for Apple; null while it uses another, or what it gave cannot be read. */
    async ownCertificate(
      workspaceId: string,
    ): Promise<{ passTypeIdentifier: string; validUntil: Date } | null> {
      const own = await store.find<AppleCredentials>(workspaceId, 'apple');
      const validUntil = own && validUntilOf(own);
      return validUntil ? { passTypeIdentifier: own.passTypeIdentifier ?? '', validUntil } : null;
    },

    /** What each wallet still lacks before phones accept the passes of the workspace. */
    async status(workspaceId: string): Promise<{ apple: Readiness; google: Readiness }> {
      const [ownApple, ownGoogle] = await Promise.all([
        store.find<AppleCredentials>(workspaceId, 'apple'),
        store.find<GoogleCredentials>(workspaceId, 'google'),
      ]);
      const now = clock.now();
      const missing = ownApple
        ? missingOf(ownApple, now)
        : appleFromSettings(settings, now).missing;
      return {
        apple: readiness(missing, { own: ownApple, validUntil: endOf(ownApple ?? apple) }),
        google: readiness(ownGoogle ? [] : google.missing, { own: ownGoogle, validUntil: null }),
      };
    },
  };
}

const asTrusted = (given: AppleCredentials, now: Date): Trusted<AppleCredentials> => ({
  ...given,
  trusted: chainProblems(given, now).length === 0,
});

/** Under what the deployment issues cards, whether it can sign them or not. */
function namesIn({
  applePassTypeIdentifier: passTypeIdentifier,
  appleTeamIdentifier: teamIdentifier,
}: DeploymentSettings): Partial<AppleCredentials> {
  return {
    ...(passTypeIdentifier === undefined ? {} : { passTypeIdentifier }),
    ...(teamIdentifier === undefined ? {} : { teamIdentifier }),
  };
}

/** Named as they are in the request that puts the credentials. */
export const CREDENTIAL_FIELDS = {
  certificate: 'certificate',
  key: 'key',
  issuer: 'wwdr_certificate',
} as const;

function missingOf(own: AppleCredentials, now: Date): string[] {
  return chainProblems(own, now).map(
    ({ field, message }) => `${CREDENTIAL_FIELDS[field]}: ${message}`,
  );
}

const endOf = (given: AppleCredentials | null | undefined): Date | null =>
  given ? validUntilOf(given) : null;

function readiness(
  missing: readonly string[],
  { own, validUntil }: { own: object | null; validUntil: Date | null },
): Readiness {
  return {
    ready: missing.length === 0,
    missing: [...missing],
    own: own !== null,
    valid_until: validUntil?.toISOString() ?? null,
  };
}

/** The outcome of the first call for all later ones; a failed one is tried again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
