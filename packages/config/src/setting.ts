import { readFileSync } from 'node:fs';
import type Joi from 'joi';

export type Environment = { readonly [name: string]: string | undefined };

/** One setting: the variable it is read from, what it may be, and a sentence for its operators. */
export interface Setting<T> {
  variable: string;
  schema: Joi.Schema;
  description: string;
  /** Secrets are never printed. */
  secret: boolean;
  /** How a secret is replaced by another one; nothing else has it. */
  rotation?: string;
  readonly value?: T;
}

export type Settings = { readonly [key: string]: Setting<unknown> };
export type Config<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/** Declares a setting. `schema` carries the default; a setting without one must be set. */
export function setting<T>(variable: string, schema: Joi.Schema, description: string): Setting<T> {
  return { variable, schema, description, secret: false };
}

/** Declares a setting that is never printed, and says how its operators replace it by another one. */
export function secret<T>(
  variable: string,
  schema: Joi.Schema,
  { meaning, rotation }: { meaning: string; rotation: string },
): Setting<T> {
  return { variable, schema, description: meaning, secret: true, rotation };
}

/** Thrown at start with every bad setting at once, so that one look is enough to mend them all. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `the configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}

/**
 * Reads, checks and freezes a service's settings. The only reader of the process environment.
 * Throws ConfigError that names every problem.
 */
export function loadConfig<S extends Settings>(
  settings: S,
  environment: Environment = process.env,
): Config<S> {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [key, { variable, schema }] of Object.entries(settings)) {
    const raw = readRaw(variable, environment, problems);
    const { value, error } = schema.label(variable).validate(raw === '' ? undefined : raw, {
      convert: true,
      errors: { wrap: { label: false } },
    });
    if (error) problems.push(error.message);
    config[key] = value;
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config) as Config<S>;
}

function readRaw(
  variable: string,
  environment: Environment,
  problems: string[],
): string | undefined {
  const file = environment[`${variable}_FILE`];
  // An empty variable is one that is not set, as secrets of a cluster hold it.
  if (environment[variable] || file === undefined) return environment[variable];
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    problems.push(`${variable}_FILE names a file that cannot be read: ${file}`);
    return undefined;
  }
}

/**
 * The environment with what its `_FILE` variables name read, for those that look at settings without declaring them.
 * A file that cannot be read is left out: who loads the setting says so.
 */
export function withFilesRead(environment: Environment): Environment {
  const read = Object.keys(environment)
    .filter((name) => name.endsWith('_FILE'))
    .map((name) => name.slice(0, -'_FILE'.length))
    .map((variable) => [variable, readRaw(variable, environment, [])] as const)
    .filter(([, value]) => value !== undefined);
  return { ...environment, ...Object.fromEntries(read) };
}
