import Joi from 'joi';
import { type Setting, secret, setting } from './setting';

const SECOND_ACCOUNT =
  'Make a second account at the server, roll out its address, then remove the first.';

/** Settings that every service has, so that they are named and documented once. */
export const ofEveryProcess = {
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
    'How long a stopping service may finish what is in flight; calls of others have half of it. Up to 25 fits into the grace periods of the chart (60 s) and docker compose (30 s). Beyond that raise `terminationGracePeriodSeconds` to twice as much and 10 s, `stop_grace_period` to 5 s more.',
  ),
  otlpEndpoint: setting<string | undefined>(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    Joi.string().uri(),
    'Where traces are sent (OTLP over HTTP); unset leaves tracing off.',
  ),
} as const;

const redisNode = Joi.string().uri({ scheme: ['redis', 'rediss'] });

/** Where Redis is; for everything that runs. */
export const redisUrl = secret<string>(
  'REDIS_URL',
  Joi.string()
    .custom((value: string, helpers) =>
      value.split(',').every((node) => redisNode.validate(node).error === undefined)
        ? value
        : helpers.message({ custom: '{{#label}} must be redis:// or rediss:// addresses' }),
    )
    .required(),
  {
    meaning: 'Redis server; of a cluster several of its nodes, with commas between them.',
    rotation: SECOND_ACCOUNT,
  },
);

/** How those who speak to each other are sure of it; for everything that runs. */
export const rpcTlsFolder = setting<string | undefined>(
  'RPC_TLS_FOLDER',
  Joi.string(),
  'Folder with ca.crt, tls.crt and tls.key for mutual TLS between services; unset means plain text on a private network.',
);

const mongoMember = Joi.string().uri({ scheme: ['mongodb', 'mongodb+srv'] });

/** An address of a replica set has its members with commas between them, each with its port: as a whole it is no URI. */
function namesMembers(value: string): boolean {
  const [, before, members, behind] = /^([^/]*\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(value) ?? [];
  if (members === undefined) return false;
  return members
    .split(',')
    .every((member) => member !== '' && !mongoMember.validate(`${before}${member}${behind}`).error);
}

/** Settings of a service that keeps data and speaks to the others. */
export const backend = {
  ...ofEveryProcess,
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
  mongodbUri: secret<string>(
    'MONGODB_URI',
    Joi.string()
      .custom((value: string, helpers) =>
        namesMembers(value)
          ? value
          : helpers.message({
              custom: '{{#label}} must be a mongodb:// or mongodb+srv:// address',
            }),
      )
      .required(),
    {
      meaning: 'MongoDB server or cluster, without a database name.',
      rotation: SECOND_ACCOUNT,
    },
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
  rabbitmqUrl: secret<string>(
    'RABBITMQ_URL',
    Joi.string()
      .uri({ scheme: ['amqp', 'amqps'] })
      .required(),
    { meaning: 'RabbitMQ broker.', rotation: SECOND_ACCOUNT },
  ),
  outboxKeptHours: setting<number>(
    'OUTBOX_KEPT_HOURS',
    Joi.number().integer().min(3).max(168).default(24),
    'Hours that an event stays in the outbox after it left: as far back as a replay after a restore can go (docs/backup.md).',
  ),
  redisUrl,
  rpcTlsFolder,
  rpcCallers: setting<string | undefined>(
    'RPC_CALLERS',
    Joi.string(),
    'Names of the services that may call this one, as in their certificates, with commas between them; unset means all with a certificate of the authority.',
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

const targets = new Map<string, Setting<string>>();

/** Where another service is reached: `dns:///ledger:5000`, or `ipv4:127.0.0.1:5001,127.0.0.1:5002`. */
export function targetOf(service: string): Setting<string> {
  const target = targets.get(service) ?? declareTarget(service);
  targets.set(service, target);
  return target;
}

const declareTarget = (service: string): Setting<string> =>
  setting<string>(
    `${service.toUpperCase()}_GRPC_TARGET`,
    Joi.string().default(`dns:///${service}:5000`),
    `gRPC target of the ${service} service; calls are spread over all its addresses.`,
  );
