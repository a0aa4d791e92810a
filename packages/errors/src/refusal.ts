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

/** What kind of no it is: its word, and the status that carries it over HTTP. */
export interface RefusalKind {
  code: string;
  httpStatus: number;
}

/**
 * An expected "no": the caller may see every word of it. It is the only error that crosses gRPC and
 * comes back as itself; everything else is a fault and is answered as a bare INTERNAL.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;
  readonly httpStatus: number;

  constructor(
    { code, httpStatus }: RefusalKind,
    readonly problems: readonly Problem[],
    /** Whole seconds after which the same call may succeed; becomes `Retry-After`. */
    readonly retryAfterSeconds?: number,
  ) {
    super(problems.map((problem) => problem.message).join('; '));
    this.code = code;
    this.httpStatus = httpStatus;
  }
}

export interface RefusalDefinition extends RefusalKind {
  message: string;
  /** True when the identical call may succeed later. */
  transient: boolean;
}

/** What a case adds to what was declared, and what it may declare beforehand. */
export interface RefusalOptions {
  field?: string;
  extensions?: JsonObject;
  retryAfterSeconds?: number;
  /** Replaces the catalogue's sentence where the case at hand can be named more exactly. */
  message?: string;
  /** What stands in place of `{name}` in the sentence. */
  values?: Readonly<Record<string, string>>;
}

/** A way of saying no, declared once: calling it makes the Refusal to throw. */
export interface DefinedRefusal {
  (options?: RefusalOptions): Refusal;
  readonly definition: RefusalDefinition;
  /** The same kind of no for one case: its own sentence, and the field or the wait that it always has. */
  says(
    message: string,
    always?: Pick<RefusalOptions, 'field' | 'retryAfterSeconds'>,
  ): DefinedRefusal;
}

/**
 * Declares one way in which a domain says no. `message` is what the caller reads unless the call
 * names the case more exactly. Catalogues of these are rendered into docs/errors.md.
 */
export function defineRefusal(code: string, httpStatus: number, message: string): DefinedRefusal {
  return declare({ code, httpStatus, message, transient: false }, {});
}

/** The same for a no that passes: the identical call may succeed later. */
export function defineTransientRefusal(
  code: string,
  httpStatus: number,
  message: string,
): DefinedRefusal {
  return declare({ code, httpStatus, message, transient: true }, {});
}

function declare(definition: RefusalDefinition, always: RefusalOptions): DefinedRefusal {
  const make = (asked: RefusalOptions = {}): Refusal => {
    const { field, extensions, retryAfterSeconds, message, values } = { ...always, ...asked };
    const problem: Problem = { message: filled(message ?? definition.message, values) };
    if (field !== undefined) problem.field = field;
    if (extensions !== undefined) problem.extensions = extensions;
    return new Refusal(definition, [problem], retryAfterSeconds);
  };
  const says: DefinedRefusal['says'] = (message, own = {}) =>
    declare({ ...definition, message }, { ...always, ...own });
  return Object.assign(make, { definition, says });
}

const filled = (sentence: string, values: RefusalOptions['values'] = {}): string =>
  sentence.replace(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot);

type Catalogue = Readonly<Record<string, DefinedRefusal>>;

/**
 * The refusals of one domain by their names. Each says its name as `extensions.reason`, in snake case: the code is what kind of no it is, the reason is which one. Names are therefore part of the API.
 */
export function catalogue<Refusals extends Catalogue>(refusals: Refusals): Refusals {
  const named = Object.entries(refusals).map(([name, refuse]) => {
    const reason = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const make = ({ extensions, ...options }: RefusalOptions = {}): Refusal =>
      refuse({ ...options, extensions: { reason, ...extensions } });
    return [name, Object.assign(make, { definition: refuse.definition, says: refuse.says })];
  });
  return Object.fromEntries(named) as Refusals;
}

/** Whether an error is a refusal of that code, whatever it says. */
export const isRefusedAs = (error: unknown, { definition }: DefinedRefusal): error is Refusal =>
  error instanceof Refusal && error.code === definition.code;

/** A refusal that would be the same if it was tried again; a fault, or what asks to come back, is none. */
export function isFinalRefusal(error: unknown): error is Refusal {
  return (
    error instanceof Refusal &&
    error.httpStatus < 500 &&
    error.httpStatus !== 429 &&
    error.retryAfterSeconds === undefined
  );
}
