import type { ClientImportJob } from '@laurel/client';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { lineInWords } from '../../in-words';
import type { WordKey } from '../../language';
import { Notice } from '../../parts/notice';
import { saveFile } from './download';
import { nameOfField } from './fields';
import { type ImportOutcome, isOver, KIND_OF, outcomeOf } from './import-outcome';

const SHOWN = 20;
const WORDS = {
  pending: 'import.status.pending',
  running: 'import.running',
  completed: 'import.done',
  partly: 'import.partly',
  failed: 'import.failed',
  cancelled: 'import.cancelled',
} as const satisfies Record<ImportOutcome, WordKey>;

/** How far an import is, or how it ended; and which lines of the file are not in. */
export function ImportProgress({ job }: { job: ClientImportJob }): ReactNode {
  const { say } = useConsole().language;
  const { total, processed, created, updated, failed } = job;
  const outcome = outcomeOf(job);
  const left = Math.max(0, total - processed);
  const told = say(WORDS[outcome], { total, left, created, updated, failed });
  return (
    <>
      <progress
        aria-label={say('import.progress')}
        max={Math.max(1, total)}
        value={Math.min(processed, Math.max(1, total))}
      />
      {isOver(job) ? <Notice kind={KIND_OF[outcome]}>{told}</Notice> : <p role="status">{told}</p>}
      {job.errors.length > 0 && <Unread job={job} />}
    </>
  );
}

/** The lines that were not read and why: the first of them here, as many as the platform keeps in a file. */
function Unread({ job: { id, errors, failed } }: { job: ClientImportJob }): ReactNode {
  const { say } = useConsole().language;
  const nameOf = (field: string) => nameOfField(say, field);
  // What ends a file as a whole is of no line.
  const sayOne = ({ row, message }: (typeof errors)[number]) =>
    row === 0 ? message : say('import.row', { row, message: lineInWords(say, message, nameOf) });
  const shown = errors.slice(0, SHOWN);
  const total = Math.max(failed, errors.length);
  const save = () => {
    const text = errors.map((one) => `${sayOne(one)}\n`).join('');
    saveFile(new Blob([text], { type: 'text/plain' }), `import-${id.slice(0, 8)}.txt`);
  };
  return (
    <>
      <ul>
        {shown.map((one) => (
          <li key={`${one.row} ${one.message}`}>{sayOne(one)}</li>
        ))}
      </ul>
      {total > shown.length && (
        <>
          <p className="hint">{say('import.listed', { shown: shown.length, total })}</p>
          <div>
            <Button variant="default" onClick={save}>
              {say('import.save', { count: errors.length })}
            </Button>
          </div>
        </>
      )}
    </>
  );
}
