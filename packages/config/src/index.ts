import { readFileSync } from 'node:fs';
import Joi from 'joi';

export type Environment = { readonly [name: string]: string | undefined };

/** One setting: the variable it is read from, what it may be, and a sentence for whoever operates it. */
export interface Setting<T> {
  variable: string;
  schema: Joi.Schema;
  description: string;
  /** Secrets are never printed and may come from a file named by `<VARIABLE>_FILE`. */
  secret: boolean;
  readonly value?: T;
}

export type Settings = { readonly [key: string]: Setting<unknown> };
export type Config<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/** Declares a setting. `schema` carries the default; a setting without one must be set. */
export function setting<T>(
  variable: string,
  schema: Joi.Schema,
  description: string,
  { secret = false }: { secret?: boolean } = {},
): Setting<T> {
  return { variable, schema, description, secret };
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
  if (environment[variable] !== undefined || file === undefined) return environment[variable];
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    problems.push(`${variable}_FILE names a file that cannot be read: ${file}`);
    return undefined;
  }
}

/** The table rows of docs/config.md for one service. */
export function describeSettings(settings: Settings): string {
  const rows = Object.values(settings).map(({ variable, schema, description, secret }) => {
    const { flags } = schema.describe() as { flags?: { default?: unknown; presence?: string } };
    const fallback =
      flags?.default === undefined
        ? flags?.presence === 'required'
          ? 'must be set'
          : '-'
        : `\`${flags.default}\``;
    return `| \`${variable}\` | ${secret ? `${fallback} (secret)` : fallback} | ${description} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** Settings that every service has, so that they are named and documented once. */
export const common = {
  logLevel: setting<string>(
    'LOG_LEVEL',
    Joi.string().valid('trace', 'debug', 'info', 'warn', 'error', 'silent').default('info'),
    'Least severe level that is logged.',
  ),
  healthPort: setting<number>(
    'HEALTH_PORT',
    Joi.number().port().default(0),
    'Internal port of /health/live, /health/ready, /health/dependencies and /metrics; 0 leaves them off.',
  ),
  healthHost: setting<string>(
    'HEALTH_HOST',
    Joi.string().default('0.0.0.0'),
    'Address that the internal port binds to.',
  ),
  shutdownSeconds: setting<number>(
    'SHUTDOWN_SECONDS',
    Joi.number().integer().min(1).max(300).default(20),
    'How long a stopping service may finish what is in flight.',
  ),
  otlpEndpoint: setting<string | undefined>(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    Joi.string().uri(),
    'Where traces are sent (OTLP over HTTP); unset leaves tracing off.',
  ),
} as const;

const redisNode = Joi.string().uri({ scheme: ['redis', 'rediss'] });

/** Where Redis is; for everything that runs. */
export const redisUrl = setting<string>(
  'REDIS_URL',
  Joi.string()
    .custom((value: string, helpers) =>
      value.split(',').every((node) => redisNode.validate(node).error === undefined)
        ? value
        : helpers.message({ custom: '{{#label}} must be redis:// or rediss:// addresses' }),
    )
    .required(),
  'Redis server; of a cluster several of its nodes, with commas between them.',
  { secret: true },
);

/** Settings of a service that keeps data and speaks to the others. */
export const backend = {
  ...common,
  grpcPort: setting<number>(
    'GRPC_PORT',
    Joi.number().port().default(0),
    'gRPC port; 0 takes a free one.',
  ),
  grpcHost: setting<string>(
    'GRPC_HOST',
    Joi.string().default('127.0.0.1'),
    'Address the gRPC server binds to.',
  ),
  mongodbUri: setting<string>(
    'MONGODB_URI',
    Joi.string()
      .uri({ scheme: ['mongodb', 'mongodb+srv'] })
      .required(),
    'MongoDB server or cluster, without a database name.',
    { secret: true },
  ),
  mongodbDatabasePrefix: setting<string>(
    'MONGODB_DATABASE_PREFIX',
    Joi.string()
      .pattern(/^[a-z0-9_]{0,32}$/)
      .allow('')
      .default('laurel_'),
    'Put before the service name to make its database name.',
  ),
  mongodbPoolSize: setting<number>(
    'MONGODB_POOL_SIZE',
    Joi.number().integer().min(1).max(500).default(16),
    'Connections to MongoDB per service.',
  ),
  indexesAtStart: setting<'build' | 'compare'>(
    'INDEXES_AT_START',
    Joi.string().valid('build', 'compare').default('build'),
    'Whether a starting service builds the indexes that are missing, or only compares: then `npm run indexes -- apply` (in Kubernetes the job of the chart) builds them before, a missing unique one stops the start and any other is a warning.',
  ),
  rabbitmqUrl: setting<string>(
    'RABBITMQ_URL',
    Joi.string()
      .uri({ scheme: ['amqp', 'amqps'] })
      .required(),
    'RabbitMQ broker.',
    { secret: true },
  ),
  outboxKeptHours: setting<number>(
    'OUTBOX_KEPT_HOURS',
    Joi.number().integer().min(3).max(168).default(24),
    'Hours that an event stays in the outbox after it left: as far back as a replay after a restore can go (docs/backup.md).',
  ),
  redisUrl,
  rpcTlsFolder: setting<string | undefined>(
    'RPC_TLS_FOLDER',
    Joi.string(),
    'Folder with ca.crt, tls.crt and tls.key for mutual TLS between services; unset means plain text on a private network.',
  ),
} as const;

/** Where the gateway is reached from outside; for services that hand out links. */
export const publicUrl = setting<string>(
  'PUBLIC_URL',
  Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .default('http://localhost:8080'),
  'Address under which the platform is reached from outside: what links in mails, on passes and to inboxes begin with.',
);

const SECRETS_KEY_BYTES = 32;

const secretsKey = (): Joi.StringSchema =>
  Joi.string().custom((value: string, helpers) =>
    Buffer.from(value, 'base64').length === SECRETS_KEY_BYTES
      ? value
      : helpers.message({ custom: '{{#label}} must be 32 bytes in base64' }),
  );

/** The keys of `@laurel/vault`; for services that seal what they store, and for no other. */
export const vaultKeys = {
  secretsKey: setting<string>(
    'SECRETS_KEY',
    secretsKey().required(),
    'Key of 32 bytes in base64 that secrets are encrypted with at rest.',
    { secret: true },
  ),
  secretsKeyPrevious: setting<string | undefined>(
    'SECRETS_KEY_PREVIOUS',
    secretsKey(),
    'Another key whose values stay readable. They are encrypted anew with SECRETS_KEY at the start and within the hour; the log says when it may go.',
    { secret: true },
  ),
} as const;

/** Where another service is reached: `dns:///ledger:5000`, or `ipv4:127.0.0.1:5001,127.0.0.1:5002`. */
export function targetOf(service: string): Setting<string> {
  return setting<string>(
    `${service.toUpperCase()}_GRPC_TARGET`,
    Joi.string().default(`dns:///${service}:5000`),
    `gRPC target of the ${service} service; calls are spread over all its addresses.`,
  );
}

export { Joi };
