import { createHash } from 'node:crypto';
import type { Redis } from '@laurel/backend';
import { invalidPayload, platform, usedKey } from '@laurel/errors';
import { every, type Logger } from '@laurel/lifecycle';
import { idempotencyBytes, idempotencyKeys } from './metrics';
import { createRareWarning } from './rare-warning';
import { sealWith } from './sealed-answer';

const KEPT_SECONDS = 86_400;
/** A gateway that has not renewed its claim by then is dead: who repeats the request need not wait longer. */
const CLAIM_MS = 5_000;
const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

export interface KeptResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

type KeptRecord = { fingerprint: string } & (
  | { state: 'running' }
  /** The answer is JSON, sealed. */
  | { state: 'done'; answer: string }
);

/** One use of an Idempotency-Key. */
export interface Attempt {
  /** The same on every gateway and every retry: services apply an operation of one id once. */
  operationId: string;
  /** Stands for the body; services refuse another one under the same key where Redis no longer knows it. */
  fingerprint: string;
  /** The first response, when this is a repeat. */
  earlier: KeptResponse | null;
  keep(response: KeptResponse): Promise<void>;
  /** Lets the key be tried again: nothing was decided. */
  release(): Promise<void>;
}

/**
 * Keys of part 3, section 1.3: the first response is kept 24 hours and replayed; another body under
 * the same key, or a key still in use, is a conflict. Redis only spares the work: the operation id
 * made from the key is what services apply once, and the fingerprint beside it what they refuse
 * another body by, so that losing Redis doubles nothing and confuses nothing.
 *
 * @returns begins a use of a key: `body` stands for the body of the request (`fingerprintOf`)
 */
export function createIdempotency(redis: Redis, logger: Logger, claimMs = CLAIM_MS) {
  const warnNotKept = createRareWarning(
    logger,
    'idempotency keys are not kept while Redis is away',
  );

  async function quietly<T>(command: () => Promise<T>): Promise<T | null> {
    try {
      return await command();
    } catch (error) {
      warnNotKept(error);
      return null;
    }
  }

  return async function begin(scope: string, key: string, body: string): Promise<Attempt> {
    if (!PRINTABLE.test(key)) {
      throw invalidPayload([
        {
          message: 'Idempotency-Key must be 1 to 255 printable characters',
          field: 'Idempotency-Key',
        },
      ]);
    }
    const name = nameOf(scope, key);
    const sealed = sealWith(`${scope}\n${key}`);
    const fingerprint = sealed.digest(body);
    const running: KeptRecord = { state: 'running', fingerprint };
    const claimed = await quietly(() =>
      redis.set(name, JSON.stringify(running), {
        condition: 'NX',
        expiration: { type: 'PX', value: claimMs },
      }),
    );
    const kept = claimed === 'OK' ? null : await quietly(() => redis.get(name));
    const record = kept ? (JSON.parse(kept) as KeptRecord) : null;
    idempotencyKeys.inc({ outcome: claimed === 'OK' ? 'first' : (record?.state ?? 'not_kept') });
    const answer = record ? answerIn(record, fingerprint) : null;
    const renewing =
      claimed === 'OK'
        ? every('idempotency', claimMs / 3, () => void quietly(() => redis.pExpire(name, claimMs)))
        : undefined;
    return {
      operationId: operationIdOf(`${scope}\n${key}`),
      fingerprint,
      earlier: answer === null ? null : (JSON.parse(sealed.open(answer)) as KeptResponse),
      keep: async (response) => {
        renewing?.cancel();
        const answer = sealed.seal(JSON.stringify(response));
        const record: KeptRecord = { state: 'done', fingerprint, answer };
        const text = JSON.stringify(record);
        idempotencyBytes.inc(name.length + text.length);
        await quietly(() =>
          redis.set(name, text, {
            expiration: { type: 'EX', value: KEPT_SECONDS },
          }),
        );
      },
      release: async () => {
        renewing?.cancel();
        await quietly(() => redis.del(name));
      },
    };
  };
}

/** Whose keys they are and for what: one key stands for one request to one path. */
export const keyScope = (owner: string, path: string): string => `${owner} POST ${path}`;

/** Under which Redis keeps what became of a key. */
export const nameOf = (scope: string, key: string): string =>
  `answer:${digest(`${scope}\n${key}`)}`;

/** Refuses another body, and to wait for who is at it still. */
function answerIn(record: KeptRecord, fingerprint: string): string {
  if (record.fingerprint !== fingerprint) throw usedKey();
  if (record.state === 'running') {
    throw platform.conflict({
      message: 'the first request with this Idempotency-Key is still running',
      field: 'Idempotency-Key',
      retryAfterSeconds: 1,
    });
  }
  return record.answer;
}

/** What makes two requests the same: the query and the body, member order aside. */
export function fingerprintOf(query: unknown, body: unknown): string {
  return digest(JSON.stringify([sorted(query), sorted(body)]));
}

/** Objects become lists of pairs, in one order; a list that would look like one is marked. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const list = value.map(sorted);
    return list.every(isPair) ? { list } : list;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}

const isPair = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';

/**
 * A body as it is kept: with null where it holds what is shown once, so that neither a repeat nor Redis tells it
 * (part 3, section 16).
 *
 * @param paths dotted, e.g. `data.client_token`
 */
export function withoutSecrets(body: unknown, paths: readonly string[] = []): unknown {
  return paths.reduce((kept, path) => blanked(kept, path.split('.')), body);
}

function blanked(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return null;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: blanked((value as Record<string, unknown>)[name], rest) };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A UUID (version 8: made from a digest) that stands for the key. */
function operationIdOf(text: string): string {
  const hex = digest(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
