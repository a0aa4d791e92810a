import { type LookupAddress, lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { type GuardOptions, mayDial } from './url-guard';

const CONNECT_MS_MAX = 5_000;
const KEEP_ALIVE_MS = 10_000;
const HEADER_BYTES_MAX = 16 * 1024;

export type Resolve = (
  hostname: string,
  options: { all: true; family?: number; verbatim?: boolean },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Why something was not dialled. */
export const FORBIDDEN = 'the address is private or local';

/**
 * Resolves a name and hands on only addresses that may be dialled. It answers the dialling itself, so
 * the checked address is the dialled one, whatever the name resolves to a moment later. A name with
 * one forbidden address is refused altogether.
 */
export function guardedLookup(
  options: GuardOptions,
  resolveName: Resolve = resolve,
): LookupFunction {
  return (hostname, { family, all }, callback) => {
    const numericFamily = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family;
    resolveName(hostname, { all: true, family: numericFamily ?? 0 }, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => mayDial(address, hostname, options))) {
        return callback(new Error(FORBIDDEN), []);
      }
      if (all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

export interface AgentOptions extends GuardOptions {
  /** Connections to one endpoint at most. */
  connections: number;
  timeoutMs: number;
}

/** Connections to strangers: kept alive, bounded in number, time and header size. */
export function createAgent({ connections, timeoutMs, ...guard }: AgentOptions): Agent {
  return new Agent({
    connect: { lookup: guardedLookup(guard), timeout: Math.min(CONNECT_MS_MAX, timeoutMs) },
    connections,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: HEADER_BYTES_MAX,
  });
}
