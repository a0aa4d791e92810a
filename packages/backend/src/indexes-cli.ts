/**
 * The indexes of one service, as a step before its pods start:
 *
 *   node packages/backend/dist/indexes-cli.js plan|apply|prune <folder of a service>
 *
 * The database is that of the service's own settings. `plan` exits with 1 while something is to be built.
 */
import path from 'node:path';
import { backend, type Environment, loadConfig } from '@laurel/config';
import {
  applyIndexes,
  type CollectionIndexes,
  connectStore,
  type NamedIndex,
  planIndexes,
  pruneIndexes,
} from '@laurel/mongo';
import { everyIndex } from './indexes';

type Print = (line: string) => void;

const { mongodbUri, mongodbDatabasePrefix } = backend;
const USAGE = 'usage: indexes-cli.js plan|apply|prune <folder of a service>';

/** Whose it is cannot be known here: that of a later release is needed by it. */
const UNKNOWN = "stays, of another release or somebody's own:";

const shown = ({ collection, name, unique }: NamedIndex) =>
  `${collection}.${name}${unique ? ' (unique)' : ''}`;

export interface IndexesOf {
  /** What its database is called after. */
  service: string;
  /** Its own indexes; those that every service has are added. */
  declared: readonly CollectionIndexes[];
  environment?: Environment;
}

/** Returns the exit status. */
export async function runIndexes(
  command: string,
  { service, declared, environment }: IndexesOf,
  print: Print,
): Promise<number> {
  const config = loadConfig({ mongodbUri, mongodbDatabasePrefix }, environment);
  const connection = await connectStore({
    uri: config.mongodbUri,
    database: `${config.mongodbDatabasePrefix}${service}`,
    poolSize: 2,
  });
  const indexes = everyIndex(declared);
  const tell = (what: string, some: readonly NamedIndex[]) => {
    for (const index of some) print(`${service}: ${what} ${shown(index)}`);
  };
  try {
    if (command === 'plan') {
      const { missing, changed, left, others } = await planIndexes(connection, indexes);
      tell('would build', missing);
      tell('changed under its old name', changed);
      tell('no longer needed', left);
      tell(UNKNOWN, others);
      if (missing.length + changed.length + left.length === 0) print(`${service}: nothing to do`);
      return missing.length + changed.length > 0 ? 1 : 0;
    }
    if (command === 'apply') {
      const { missing } = await applyIndexes(connection, indexes);
      tell('built', missing);
      if (missing.length === 0) print(`${service}: nothing to do`);
      return 0;
    }
    if (command === 'prune') {
      const { left, others } = await pruneIndexes(connection, indexes);
      tell('dropped', left);
      tell(UNKNOWN, others);
      if (left.length === 0) print(`${service}: nothing to do`);
      return 0;
    }
    print(USAGE);
    return 2;
  } finally {
    await connection.close();
  }
}

async function main([command = '', folder = '']: readonly string[], print: Print): Promise<number> {
  if (folder === '') {
    print(USAGE);
    return 2;
  }
  // The folder of an image is a link: what it leads to has the service's name.
  const { name } = require(path.resolve(folder, 'package.json')) as { name: string };
  const { indexes } = require(path.resolve(folder)) as { indexes?: readonly CollectionIndexes[] };
  const service = name.replace('@laurel/', '');
  if (indexes === undefined) {
    print(`${service}: keeps nothing`);
    return 0;
  }
  return runIndexes(command, { service, declared: indexes }, print);
}

if (require.main === module) {
  main(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`)).then(
    (status) => process.exit(status),
    (error: Error) => {
      process.stderr.write(`${error.message}\n`);
      process.exit(3);
    },
  );
}
