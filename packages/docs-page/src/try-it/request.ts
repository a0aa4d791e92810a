import { newKey } from '@laurel/page-kit/new-key';
import type { Door, Operation } from './operation.ts';

/** What somebody filled in. */
export interface Filled {
  /** By name of the parameter; what is empty is left out. */
  values: Record<string, string>;
  /** JSON, as it was typed. */
  body: string;
  isDryRun: boolean;
  token: string;
}

/** How each door learns who is there. */
const CARRIED: Partial<Record<Door, (token: string) => Record<string, string>>> = {
  bearer: (token) => ({ Authorization: `Bearer ${token}` }),
  portal: (token) => ({ 'x-client-token': token }),
  mobile: (token) => ({ 'X-Mobile-Token': token }),
};

/** What is sent for it. @throws Error with a sentence where it cannot be sent */
export function requestOf(
  { method, path, parameters, body, hasDryRun, isKeyed, door }: Operation,
  filled: Filled,
): { address: string; init: RequestInit } {
  const filledIn = (name: string): string => (filled.values[name] ?? '').trim();
  const missing = parameters.find(({ name, isRequired }) => isRequired && filledIn(name) === '');
  if (missing) throw new Error(`${missing.name} is needed.`);
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(filledIn(name)));
  const query = new URLSearchParams(
    parameters
      .filter(({ name, in: where }) => where === 'query' && filledIn(name) !== '')
      .map(({ name }) => [name, filledIn(name)]),
  ).toString();
  const headers = {
    ...(filled.token === '' ? {} : CARRIED[door]?.(filled.token)),
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
    ...(isKeyed ? { 'Idempotency-Key': `docs-${newKey()}` } : {}),
  };
  const json = body === null ? {} : { body: jsonOf(filled, hasDryRun) };
  return {
    address: query === '' ? place : `${place}?${query}`,
    init: { method, headers, ...json },
  };
}

function jsonOf({ body, isDryRun }: Filled, hasDryRun: boolean): string {
  let typed: object;
  try {
    typed = JSON.parse(body);
  } catch (error) {
    throw new Error(`The body is no JSON: ${(error as Error).message}`);
  }
  return JSON.stringify(hasDryRun ? { ...typed, dry_run: isDryRun } : typed);
}

/** Whether sending it may change something, so that it is asked for once more. */
export const isWrite = ({ method, hasDryRun }: Operation, { isDryRun }: Filled): boolean =>
  method !== 'GET' && !(hasDryRun && isDryRun);
