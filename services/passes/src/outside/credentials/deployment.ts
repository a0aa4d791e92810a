import type { Config } from '@laurel/config';
import type { walletSettings } from '../../config';
import { chainProblems, readServiceAccount, signingProblems } from './read';
import type { AppleCredentials, GoogleCredentials } from './types';

export type DeploymentSettings = Partial<
  Pick<
    Config<typeof walletSettings>,
    | 'applePassTypeIdentifier'
    | 'appleTeamIdentifier'
    | 'applePassCertificate'
    | 'applePassKey'
    | 'applePassKeyPassphrase'
    | 'appleWwdrCertificate'
    | 'googleIssuerId'
    | 'googleServiceAccount'
  >
>;

const SETTINGS = {
  certificate: 'APPLE_PASS_CERTIFICATE',
  key: 'APPLE_PASS_KEY',
  issuer: 'APPLE_WWDR_CERTIFICATE',
} as const;

export interface Configured<T> {
  /** Where they are complete and can sign. */
  credentials: T | null;
  /** What they lack before phones take what they sign. */
  missing: string[];
}

/** @returns `isGiven` where any of them is set, whether that is enough to sign or not */
export function appleFromSettings(
  settings: DeploymentSettings,
  now: Date,
): Configured<AppleCredentials> & { isGiven: boolean } {
  const required = {
    APPLE_PASS_TYPE_IDENTIFIER: settings.applePassTypeIdentifier,
    APPLE_TEAM_IDENTIFIER: settings.appleTeamIdentifier,
    APPLE_PASS_CERTIFICATE: settings.applePassCertificate,
    APPLE_PASS_KEY: settings.applePassKey,
    APPLE_WWDR_CERTIFICATE: settings.appleWwdrCertificate,
  };
  const missing = namesOfAbsent(required);
  const isGiven = missing.length < Object.keys(required).length;
  if (missing.length > 0) return { credentials: null, missing, isGiven };
  const credentials: AppleCredentials = {
    passTypeIdentifier: settings.applePassTypeIdentifier!,
    teamIdentifier: settings.appleTeamIdentifier!,
    certificate: settings.applePassCertificate!,
    key: settings.applePassKey!,
    ...(settings.applePassKeyPassphrase ? { passphrase: settings.applePassKeyPassphrase } : {}),
    issuer: settings.appleWwdrCertificate!,
  };
  const unusable = signingProblems(credentials);
  const problems = unusable.length > 0 ? unusable : chainProblems(credentials, now);
  return {
    credentials: unusable.length > 0 ? null : credentials,
    missing: problems.map(({ field, message }) => `${SETTINGS[field]}: ${message}`),
    isGiven,
  };
}

export function googleFromSettings(settings: DeploymentSettings): Configured<GoogleCredentials> {
  const { googleIssuerId: issuerId, googleServiceAccount: account } = settings;
  const missing = namesOfAbsent({
    GOOGLE_WALLET_ISSUER_ID: issuerId,
    GOOGLE_SERVICE_ACCOUNT: account,
  });
  if (missing.length > 0) return { credentials: null, missing };
  const read = readServiceAccount(account!);
  if (!read)
    return {
      credentials: null,
      missing: ['GOOGLE_SERVICE_ACCOUNT: not a key file of a service account'],
    };
  return { credentials: { issuerId: issuerId!, ...read }, missing: [] };
}

function namesOfAbsent(required: Record<string, string | undefined>): string[] {
  return Object.entries(required).flatMap(([name, value]) => (value === undefined ? [name] : []));
}
