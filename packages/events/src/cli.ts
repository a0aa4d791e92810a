import { listParked, redrive } from './parking/parking';

const USAGE = `usage:
  events parked                    what is parked, where and why
  events redrive <queue> [limit]   put parked events back into their queue`;

/**
 * `cli.js <amqp-url> parked | redrive <queue> [limit]`; returns the exit status. `exchange` says whose
 * consumers are meant where several platforms share a broker.
 */
export async function run(
  args: readonly string[],
  print: (line: string) => void,
  exchange?: string,
): Promise<number> {
  const [url, command, queue, limit] = args;
  if (url && command === 'parked') return printParked(url, print, exchange);
  if (url && command === 'redrive' && queue && isLimit(limit)) {
    const moved = await redrive(url, queue, limit === undefined ? undefined : Number(limit));
    print(`${moved} put back into ${queue}`);
    return 0;
  }
  print(USAGE);
  return 2;
}

async function printParked(
  url: string,
  print: (line: string) => void,
  exchange?: string,
): Promise<number> {
  const parked = await listParked(url, exchange);
  if (parked.length === 0) print('nothing is parked');
  for (const { queue, count, oldest } of parked) {
    print(`${queue}: ${count} parked`);
    for (const { parkedAt, type, eventId, reason, attempts, error } of oldest) {
      print(
        `  ${parkedAt ?? '-'}  ${type ?? '-'}  ${eventId ?? '-'}  ${reason} after ${attempts}: ${error ?? '-'}`,
      );
    }
    if (count > oldest.length) print(`  ... and ${count - oldest.length} more`);
  }
  return 0;
}

function isLimit(limit: string | undefined): boolean {
  return limit === undefined || /^[1-9]\d*$/.test(limit);
}

if (require.main === module) {
  run(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`)).then(
    (status) => {
      process.exitCode = status;
    },
    (error: Error) => {
      const broker = process.argv[2]?.replace(/\/\/[^@/]*@/, '//') ?? '';
      process.stderr.write(`RabbitMQ, ${broker}: ${error.message}\n`);
      process.exitCode = 1;
    },
  );
}
