import { readFileSync, writeFileSync } from 'node:fs';
import type { ClientImportJob, Laurel } from '@laurel/client';
import { Option } from 'commander';
import { acting, command } from '../../command';
import { Failed, UsageError } from '../../failures';
import { say } from '../../output';
import { type GlobalOptions, openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';
import { watch } from '../watch';

interface Options {
  mode: 'create' | 'upsert';
  job?: string;
  key?: string;
}

const STANDARD_INPUT = '-';

/** Named so because `import` is a word of the language. */
export const importMembers = (terminal: Terminal) =>
  acting<Options>(
    command({
      usage: 'import [file]',
      summary: 'Import members from a CSV or NDJSON file, or what is piped in',
      examples: [
        'laurel members import members.csv',
        'laurel members import members.csv --mode upsert',
        'laurel --profile shop members export | laurel members import -',
        'laurel members import --job 01a20534-259e-70a1-ba00-e41d5fa7ab89',
      ],
      notes:
        'Columns are named as the fields of a member, those of the data model custom_fields.<name>. Where - stands for the file it is read from standard input. Rows that were refused are written beside the file, with the reason. The work goes on by itself where this is ended; --job looks at it again.',
    })
      .addOption(
        new Option('--mode <mode>', 'what is done with members that are there already')
          .choices(['create', 'upsert'])
          .default('create'),
      )
      .option('--job <id>', 'go on looking at an import that was begun before')
      .option('--key <key>', 'Idempotency-Key: the same one imports nothing twice'),
    terminal,
    async (_, { args: [file], options }) => {
      if ((file === undefined) === (options.job === undefined))
        throw new UsageError('name a file, or an import with --job');
      const { laurel } = await openWorkspace(terminal, options);
      const begun =
        file === undefined
          ? await laurel.clients.getImportJob(options.job!)
          : await upload(laurel, await contentOf(terminal, file), options);
      const job = await watchImport(terminal, laurel, { begun, options });
      const { created, updated, failed, status, errors } = job;
      const why = file && errors.length > 0 ? noteRefused(file, job) : [];
      say(terminal, options, {
        data: job,
        lines: [
          `${status === 'completed' && failed === 0 ? '✓' : '✗'} ${status}: ${created} new, ${updated} brought up to date, ${failed} refused`,
          ...why,
        ],
      });
      if (status !== 'completed' || failed > 0) throw new Failed();
    },
  );

async function contentOf(terminal: Terminal, file: string): Promise<Blob> {
  const type = 'text/csv';
  // The platform reads files of several encodings: it is sent as it is.
  if (file === STANDARD_INPUT) return new Blob([await terminal.readInput()], { type });
  try {
    return new Blob([readFileSync(file)], { type });
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function upload(laurel: Laurel, content: Blob, { mode, key }: Options) {
  const form = new FormData();
  form.set('file', content, 'members');
  const under = key === undefined ? {} : { idempotencyKey: key };
  return laurel.clients.import(form, { mode }, { timeoutMs: 600_000, ...under });
}

const watchImport = (
  terminal: Terminal,
  laurel: Laurel,
  { begun, options }: { begun: ClientImportJob; options: GlobalOptions },
) =>
  watch(terminal, begun, {
    doing: 'importing',
    isOver: ({ finished_at }) => finished_at !== null,
    progressOf: ({ processed, total }) => [processed, total],
    read: ({ id }) => laurel.clients.getImportJob(id),
    lookAgain: ({ id }) => `laurel members import --job ${id}`,
    options,
  });

/** The platform keeps why of the first alone. */
const ofAll = ({ failed, errors }: ClientImportJob): string =>
  failed > errors.length ? `, the first ${errors.length} of them` : '';

/** The rows that were refused, as a file to mend and import again by; where it cannot be written they are said. */
function noteRefused(file: string, job: ClientImportJob): string[] {
  const { errors } = job;
  const name = `${file === STANDARD_INPUT ? 'members' : file}.refused.csv`;
  const lines = errors.map(({ row, message }) => `${row},"${message.replaceAll('"', '""')}"`);
  try {
    writeFileSync(name, `row,reason\n${lines.join('\n')}\n`);
    return [`  why: ${name}${ofAll(job)}`];
  } catch (error) {
    const why = errors.map(({ row, message }) => `    row ${row}: ${message}`);
    return [`  why${ofAll(job)} (${(error as Error).message}):`, ...why];
  }
}
