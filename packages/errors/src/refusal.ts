/** A value that JSON can carry. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** One thing wrong with a request: what a person can act on, and where it stands. */
export interface Problem {
  message: string;
  /** Dotted path into the body or query, e.g. `effects.0.reward_id`. */
  field?: string;
  /** Further members of `extensions`, e.g. `reason`. */
  extensions?: JsonObject;
}

/**
 * An expected "no": the caller may see every word of it. It is the only error that crosses gRPC and
 * comes back as itself; everything else is a fault and is answered as a bare INTERNAL.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: string,
    readonly httpStatus: number,
    readonly problems: readonly Problem[],
    /** Whole seconds after which the same call may succeed; becomes `Retry-After`. */
    readonly retryAfterSeconds?: number,
  ) {
    super(problems.map((problem) => problem.message).join('; '));
  }
}

export interface RefusalDefinition {
  code: string;
  httpStatus: number;
  message: string;
  /** True when the identical call may succeed later. */
  transient: boolean;
}

export interface RefusalOptions {
  field?: string;
  extensions?: JsonObject;
  retryAfterSeconds?: number;
  /** Replaces the catalogue's sentence where the case at hand can be named more exactly. */
  message?: string;
}

/** A way of saying no, declared once: calling it makes the Refusal to throw. */
export interface DefinedRefusal {
  (options?: RefusalOptions): Refusal;
  readonly definition: RefusalDefinition;
}

/**
 * Declares one way in which a domain says no. `message` is what the caller reads unless the call
 * names the case more exactly. Catalogues of these are rendered into docs/errors.md.
 */
export function defineRefusal(
  code: string,
  httpStatus: number,
  message: string,
  { transient = false }: { transient?: boolean } = {},
): DefinedRefusal {
  const definition: RefusalDefinition = { code, httpStatus, message, transient };
  const make = (options: RefusalOptions = {}): Refusal => {
    const problem: Problem = { message: options.message ?? message };
    if (options.field !== undefined) problem.field = options.field;
    if (options.extensions !== undefined) problem.extensions = options.extensions;
    return new Refusal(code, httpStatus, [problem], options.retryAfterSeconds);
  };
  return Object.assign(make, { definition });
}

type Catalogue = Readonly<Record<string, (...details: never[]) => Refusal>>;

/**
 * The refusals of one domain by their names. Each says its name as `extensions.reason`, in snake case, unless it gives a
 * reason of its own: the code is what kind of no it is, the reason is which one. Names are therefore part of the API.
 */
export function catalogue<Refusals extends Catalogue>(refusals: Refusals): Refusals {
  const named = Object.entries(refusals).map(([name, refuse]) => {
    const reason = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [name, Object.assign(withReason(refuse, reason), refuse)];
  });
  return Object.fromEntries(named) as Refusals;
}

function withReason(refuse: (...details: never[]) => Refusal, reason: string) {
  return (...details: never[]): Refusal => {
    const { code, httpStatus, problems, retryAfterSeconds } = refuse(...details);
    const named = problems.map((problem) => ({
      ...problem,
      extensions: { reason, ...problem.extensions },
    }));
    return new Refusal(code, httpStatus, named, retryAfterSeconds);
  };
}

/** A refusal that would be the same if it was tried again; a fault, or what asks to come back, is none. */
export function isFinalRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal && error.httpStatus < 500 && error.httpStatus !== 429;
}
