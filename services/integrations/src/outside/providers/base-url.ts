import type { JsonObject, Problem } from '@laurel/errors';
import { complaintAboutUrl, type GuardOptions } from '@laurel/outbound';
import type { Setup } from './provider';

/** What is wrong with the address of an outside system. */
export function complaintAboutBaseUrl(
  { base_url: url }: JsonObject,
  guard: GuardOptions,
): Problem[] {
  if (typeof url !== 'string') return [];
  const complaint =
    complaintAboutUrl(url, guard) ??
    (/[?#]/.test(url) ? 'url must have no query and no fragment' : null);
  return complaint === null
    ? []
    : [{ field: 'base_url', message: complaint.replace(/^url/, 'base_url') }];
}

/** Scheme, host and port of the outside system; null while there is no address. */
export const originOf = ({ base_url: url }: JsonObject): string | null =>
  typeof url === 'string' ? new URL(url).origin : null;

/** The address of something below the base address. */
export function joinUrl(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/${path}`;
}

/** What is missing before an outside system can be called. */
export function missingAccess({ config, secretKeys }: Setup): string | null {
  if (config.base_url === undefined) return 'config.base_url is missing';
  return secretKeys.has('api_key') ? null : 'secrets.api_key is missing';
}
