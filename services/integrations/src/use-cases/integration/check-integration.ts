import {
  invalidField,
  invalidPayload,
  type Json,
  type JsonObject,
  type Problem,
  problemOf,
} from '@laurel/errors';
import type { GuardOptions } from '@laurel/outbound';
import { canDo, type Provider } from '../../outside/providers/provider';
import { refusals } from '../../refusals';
import type { SealedSecret } from '../../store/integrations';

const SECRET_LENGTH_MAX = 4_096;

/** Keys that are sent replace those that are there; null takes one away. */
export function mergeConfig(before: JsonObject, sent: JsonObject = {}): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...before, ...sent }).filter(([, value]) => value !== null),
  );
}

/** Refuses a configuration that the provider's schema does not take, with every problem at once. */
export function requireConfig(provider: Provider, config: JsonObject, guard: GuardOptions): void {
  const { error } = provider.configSchema.validate(config, {
    abortEarly: false,
    convert: false,
    errors: { wrap: { label: false } },
  });
  const found: Problem[] = error
    ? error.details.map((one) => problemOf(one, 'key'))
    : provider.checkConfig(config, guard);
  if (found.length === 0) return;
  throw invalidPayload(
    found.map(({ field, message }) => ({ message, field: field ? `config.${field}` : 'config' })),
  );
}

/** The secrets that are sent: text to set, null to clear. Refuses keys that the provider does not have. */
export function requireSecrets(provider: Provider, sent: Json = {}): Map<string, string | null> {
  const secrets = new Map(Object.entries(sent as Record<string, string | null>));
  const problems = [...secrets].flatMap(([key, value]): Problem[] => {
    const field = `secrets.${key}`;
    if (!provider.secretKeys.includes(key))
      return [{ field, message: `${field} is not a known key` }];
    if (value === null || (value.length > 0 && value.length <= SECRET_LENGTH_MAX)) return [];
    return [{ field, message: `${field} must have 1 to ${SECRET_LENGTH_MAX} characters` }];
  });
  if (problems.length > 0) throw invalidPayload(problems);
  return secrets;
}

/**
 * Refuses to send a secret elsewhere than where it was given for, also by way of no address at all: who sets the address
 * would read there what is never shown.
 */
export function requireAtHome(
  { secretsSent }: Pick<Provider, 'secretsSent'>,
  secrets: readonly SealedSecret[],
  origin: string | null,
): void {
  if (origin === null) return;
  const astray = secrets.find(
    ({ key, origin: home }) => secretsSent.includes(key) && home && home !== origin,
  );
  if (!astray) return;
  const { key, origin: home } = astray;
  throw refusals.secretOfOtherOrigin({
    values: { key, origin: home! },
    field: `secrets.${key}`,
  });
}

export interface Wanted {
  enabled_inbound: boolean;
  enabled_outbound: boolean;
  config: JsonObject;
  secretKeys: ReadonlySet<string>;
}

/** Refuses to switch on what the provider cannot do, or what something is still missing for. */
export function requirePrerequisites(provider: Provider, wanted: Wanted): void {
  for (const capability of ['inbound', 'outbound'] as const) {
    const field = `enabled_${capability}` as const;
    if (!wanted[field]) continue;
    if (!canDo(provider, capability))
      throw refusals.cannotDo({ values: { provider: provider.slug, capability }, field });
    const missing = provider[capability]!.missing(wanted);
    if (missing) throw invalidField(field, `${capability} cannot be switched on: ${missing}`);
  }
}
