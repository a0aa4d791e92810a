import { CLIENT_STATUSES, type ClientStatus } from '@laurel/contract';
import { Option } from 'commander';
import { acting, command } from '../../command';
import { Failed, UsageError } from '../../failures';
import { say } from '../../output';
import { startProgress } from '../../progress';
import { type GlobalOptions, openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';
import { openWhole, type WholeFile } from '../../whole-file';

type Format = 'csv' | 'ndjson';
interface Options {
  format?: Format;
  output?: string;
  status?: ClientStatus;
}

export const exportMembers = (terminal: Terminal) =>
  acting<Options>(
    command({
      usage: 'export',
      summary: 'Write all members to a file or to standard output',
      examples: [
        'laurel members export --output members.csv',
        'laurel members export --format ndjson --status active | jq .email',
      ],
    })
      .addOption(
        new Option(
          '--format <format>',
          'of the file; csv unless said otherwise, ndjson where --json goes to standard output',
        ).choices(['csv', 'ndjson']),
      )
      .option('-o, --output <file>', 'where to; standard output unless said otherwise')
      .addOption(new Option('--status <status>', 'only those').choices(CLIENT_STATUSES)),
    terminal,
    async (_, { options }) => {
      const { output, status } = options;
      const format = formatOf(options);
      const { laurel } = await openWorkspace(terminal, options);
      const filter = status === undefined ? {} : { status };
      const { meta } = await laurel.clients.list({ ...filter, limit: 1 });
      const response = await laurel.clients.export({ ...filter, format });
      const file = output === undefined ? undefined : await openWhole(output);
      const total = meta?.total ?? meta?.total_count;
      const lines = await writeOut(terminal, response, { file, total });
      if (!file) return;
      const members = Math.max(0, format === 'csv' ? lines - 1 : lines);
      say(terminal, options, {
        data: { file: output, members },
        lines: [`✓ ${members} members in ${output}`],
      });
    },
  );

/** @returns how many lines there were; one that breaks off leaves no file that could be taken for all members */
async function writeOut(
  terminal: Terminal,
  response: Response,
  { file, total }: { file: WholeFile | undefined; total: number | undefined },
): Promise<number> {
  const progress = startProgress(terminal, 'exporting');
  let lines = 0;
  try {
    // As it comes, byte by byte: read as text it would lose a mark, and what it was cut off within.
    for await (const piece of response.body!) {
      lines += lineEndsIn(piece);
      if (file) await file.append(piece);
      else terminal.out(piece);
      progress.show(lines, total);
    }
  } catch (error) {
    await file?.giveUp();
    throw new Failed(`the export broke off after ${lines} lines: ${(error as Error).message}`);
  } finally {
    progress.end();
  }
  await file?.finish();
  return lines;
}

const LINE_END = 0x0a;

function lineEndsIn(piece: Uint8Array): number {
  let count = 0;
  for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, at + 1)) count += 1;
  return count;
}

/** JSON on standard output is a member a line; a file is what its format says, and what is said of it JSON. */
function formatOf({ format, json, output }: Options & GlobalOptions): Format {
  const isSaidAsJson = json === true && output === undefined;
  if (isSaidAsJson && format === 'csv')
    throw new UsageError('--json and --format csv do not go together; name a file with --output');
  return format ?? (isSaidAsJson ? 'ndjson' : 'csv');
}
