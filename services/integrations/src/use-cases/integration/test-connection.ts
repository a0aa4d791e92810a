import { invalidPayload, type JsonObject, type Problem } from '@laurel/errors';
import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { coarse } from '../../outside/post';
import type { Account, ConnectionReport, Provider } from '../../outside/providers/provider';
import type { Rest } from '../../outside/rest';
import { callerPatienceMs } from '../caller-patience';
import { requireConfig } from './check-integration';
import { accountOf, requireIntegration, requireProvider } from './require-integration';

const NOTHING_TO_TRY = 'the provider has nothing that could be tried';

/**
 * Tries whether the outside system answers. Credentials that are given are used alone: a stored key never goes to an
 * address that was only given to be tried.
 */
export async function testConnection(
  deps: IntegrationDeps,
  { workspace_id: workspaceId, provider: slug, credentials }: api.TestConnectionRequest,
): Promise<api.ConnectionTest> {
  const provider = requireProvider(slug);
  if (!provider.test) return toReply({ ok: true, status: null, note: NOTHING_TO_TRY });
  const account =
    credentials === undefined
      ? accountOf(deps, await requireIntegration(deps, { workspaceId, provider: slug }))
      : await givenAccount(deps, provider, {
          workspaceId,
          credentials: credentials as JsonObject,
        });
  const { base_url: url } = account.config;
  if (url === undefined) return toReply({ ok: false, status: null, error: 'base_url is missing' });
  const own = deps.restOf({ workspaceId, provider: slug });
  const rest: Rest = (call) => own({ ...call, timeoutMs: callerPatienceMs() });
  return toReply(coarse(String(url), await provider.test(rest, account)));
}

/** The address is the stored one where none is given; secrets are the given ones. */
async function givenAccount(
  deps: IntegrationDeps,
  provider: Provider,
  { workspaceId, credentials }: { workspaceId: string; credentials: JsonObject },
): Promise<Account> {
  const { base_url: baseUrl, ...secrets } = credentials;
  const problems = Object.entries(secrets).flatMap(([key, value]): Problem[] => {
    const field = `credentials.${key}`;
    if (!provider.secretKeys.includes(key))
      return [{ field, message: `${field} is not a known key` }];
    return typeof value === 'string' ? [] : [{ field, message: `${field} must be a string` }];
  });
  if (problems.length > 0) throw invalidPayload(problems);
  const stored = await deps.integrations.get(workspaceId, provider.slug);
  const config = { ...stored?.config, ...(baseUrl === undefined ? {} : { base_url: baseUrl }) };
  requireConfig(provider, config, deps.settings);
  return { config, secrets: secrets as Record<string, string> };
}

function toReply({ ok, status, error, note, locations }: ConnectionReport): api.ConnectionTest {
  return {
    ok,
    status,
    ...(error === undefined ? {} : { error }),
    ...(note === undefined ? {} : { note }),
    ...(locations === undefined ? {} : { found: { locations } }),
  };
}
