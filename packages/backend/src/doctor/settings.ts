import { ConfigError, type Environment, loadConfig, type Settings } from '@laurel/config';
import type { CollectionIndexes } from '@laurel/mongo';
import { broken, type Finding, fine, warning } from './finding';

/** A service as far as a doctor looks at it; `indexes` only where it keeps something. */
export interface Patient {
  name: string;
  settings: Settings;
  indexes?: readonly CollectionIndexes[] | undefined;
}

/** What only services hold. Where an operator has set the addresses of the servers alone, as runbooks say, it is not missing. */
const OF_SERVICES = ['JWT_SECRET', 'SECRETS_KEY'];

/** Every service's settings, read as it would read them at its start. */
export function examineSettings(patients: readonly Patient[], environment: Environment): Finding[] {
  const services = new Map<string, string[]>();
  const isOfOperator = !OF_SERVICES.some(
    (name) => environment[name] || environment[`${name}_FILE`],
  );
  const notHere = OF_SERVICES.map((name) => `${name} is required`);
  for (const { name, settings } of patients)
    for (const problem of problemsOf(settings, environment))
      if (!isOfOperator || !notHere.includes(problem))
        services.set(problem, [...(services.get(problem) ?? []), name]);
  const found = [...services].map(([problem, names]) =>
    broken(
      'settings',
      `${problem} (${names.join(', ')})`,
      'set it; docs/config.md says what it may be',
    ),
  );
  const open = opennessOf(environment);
  if (found.length > 0) return [...found, ...open];
  const text = isOfOperator
    ? `those that are set here can be read; whether services hold ${OF_SERVICES.join(' and ')} is not known here`
    : `${patients.length} services can read theirs`;
  return [fine('settings', text), ...open];
}

function problemsOf(settings: Settings, environment: Environment): readonly string[] {
  try {
    loadConfig(settings, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const LOCAL = /^(localhost|127\.|\[?::1)/;

/** What suits one machine and no other. */
function opennessOf(environment: Environment): Finding[] {
  const { PUBLIC_URL = '', ALLOW_REGISTRATION, WEBHOOK_ALLOW_INSECURE, SMTP_URL } = environment;
  const host = URL.canParse(PUBLIC_URL) ? new URL(PUBLIC_URL).host : '';
  if (host === '' || LOCAL.test(host)) return [];
  const risky: [boolean, string, string][] = [
    [
      ALLOW_REGISTRATION === 'true',
      'anybody who reaches it may register',
      'ALLOW_REGISTRATION=false',
    ],
    [
      WEBHOOK_ALLOW_INSECURE === 'true',
      'webhooks may be sent to addresses inside',
      'WEBHOOK_ALLOW_INSECURE=false',
    ],
    [!SMTP_URL, 'mails are written into a folder and reach nobody', 'set SMTP_URL'],
    [PUBLIC_URL.startsWith('http:'), 'links begin with http', 'set PUBLIC_URL to an https address'],
  ];
  return risky
    .filter(([is]) => is)
    .map(([, text, mend]) =>
      warning('settings', `${host} is no address of this machine, and ${text}`, mend),
    );
}
