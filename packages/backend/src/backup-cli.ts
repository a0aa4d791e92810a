/**
 * Backup and restore through the driver, for what one transaction can read (docs/backup.md):
 *
 *   node packages/backend/dist/backup-cli.js save <folder> <service> ...
 *   node packages/backend/dist/backup-cli.js restore <folder>
 *   node packages/backend/dist/backup-cli.js replay <ISO time> <service> ...
 *
 * MONGODB_URI and MONGODB_DATABASE_PREFIX say whose databases.
 */
import { backend, loadConfig } from '@laurel/config';
import { type DumpCount, dumpDatabases, restoreDatabases } from '@laurel/mongo';
import { complaintAboutSince, replayEvents } from './replay';

const { mongodbUri, mongodbDatabasePrefix } = backend;
const USAGE =
  'usage: backup-cli.js save <folder> <service> ... | restore <folder> | replay <ISO time> <service> ...';

const counted = ({ databases, collections, documents, bytes }: DumpCount) =>
  `${documents} documents of ${collections} collections in ${databases} databases, ${(bytes / 1e6).toFixed(1)} MB`;

async function main([command, what = '', ...services]: readonly string[]): Promise<string> {
  const { mongodbUri: uri, mongodbDatabasePrefix: prefix } = loadConfig({
    mongodbUri,
    mongodbDatabasePrefix,
  });
  if (command === 'save' && what && services.length > 0) {
    // Not later than the moment that the transaction reads: a replay counts back from it.
    const at = new Date().toISOString();
    const count = await dumpDatabases({ uri, prefix, services }, what);
    return `saved ${counted(count)}, as of ${at}`;
  }
  if (command === 'restore' && what)
    return `restored ${counted(await restoreDatabases(uri, what))}`;
  if (command === 'replay' && !Number.isNaN(Date.parse(what)) && services.length > 0) {
    const since = new Date(what);
    const complaint = complaintAboutSince(since, new Date());
    if (complaint) throw new Error(complaint);
    const replayed = await replayEvents({ uri, prefix }, services, since);
    return replayed.map(({ service, events }) => `${service}: ${events} events`).join('\n');
  }
  throw new Error(USAGE);
}

main(process.argv.slice(2)).then(
  (line) => {
    process.stdout.write(`${line}\n`);
    process.exit(0);
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  },
);
