import type { ClientImportJob } from '@laurel/client';
import { Button, Checkbox } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Loaded, Trouble } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Sheet } from '../../parts/sheet';
import { useWish } from '../../parts/wish';

const EVERY_MS = 1_000;
const isOver = (job: ClientImportJob | undefined) =>
  job !== undefined && ['completed', 'failed', 'cancelled'].includes(job.status);

/** Customers of an old system, from a file with a line for each. */
export function ImportCustomers({ onClose }: { onClose: () => void }): ReactNode {
  const { laurel, fetch, language, workspace } = useConsole();
  const { say } = language;
  const forget = useForget();
  const [file, setFile] = useState<File | null>(null);
  const [isUpdating, setUpdating] = useState(false);
  const [job, setJob] = useState<string | null>(null);
  const wish = useWish(
    async (mode: 'create' | 'upsert', { idempotencyKey }) => {
      const body = new FormData();
      body.append('file', file!);
      const address = `/service-api/workspace/${workspace.id}/clients/import?mode=${mode}`;
      const headers = { 'Idempotency-Key': idempotencyKey };
      const answer = await fetch(address, { method: 'POST', body, headers });
      const said = await answer.json();
      if (!answer.ok) throw new Error(said.errors?.[0]?.message ?? say('refused.other'));
      return said.data as ClientImportJob;
    },
    ({ id }) => setJob(id),
  );
  const [isDone, setDone] = useState(false);
  const progress = useAsk(
    ['import', job],
    async () => {
      const found = await laurel.clients.getImportJob(job!);
      if (isOver(found)) {
        setDone(true);
        forget('customers');
      }
      return found;
    },
    { isWanted: job !== null, everyMs: isDone ? false : EVERY_MS },
  );
  return (
    <Sheet title={say('customers.import')} onClose={onClose}>
      <div className="stack">
        <p>{say('import.text')}</p>
        <p className="hint">{say('import.columns')}</p>
        {job === null ? (
          <>
            <label className="stack">
              {say('import.file')}
              <input
                type="file"
                accept=".csv,.ndjson,.jsonl,text/csv"
                onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
              />
            </label>
            <Checkbox
              label={say('import.upsert')}
              checked={isUpdating}
              onChange={(event) => setUpdating(event.currentTarget.checked)}
            />
            {wish.refused !== null &&
              (wish.refused instanceof Error ? (
                <Notice kind="bad">{wish.refused.message}</Notice>
              ) : (
                <Trouble error={wish.refused} />
              ))}
            <Button
              disabled={file === null}
              loading={wish.isBusy}
              onClick={() => void wish.send(isUpdating ? 'upsert' : 'create')}
            >
              {say('import.go')}
            </Button>
          </>
        ) : (
          <Loaded query={progress}>
            {(found) => (
              <>
                <progress max={Math.max(1, found.total)} value={found.processed} />
                <p role="status">
                  {say(isOver(found) ? 'import.done' : 'import.running', {
                    created: found.created,
                    updated: found.updated,
                    failed: found.failed,
                  })}
                </p>
                <ul>
                  {found.errors.slice(0, 20).map(({ row, message }) => (
                    <li key={row}>{say('import.row', { row, message })}</li>
                  ))}
                </ul>
                {isOver(found) && <Button onClick={onClose}>{say('close')}</Button>}
              </>
            )}
          </Loaded>
        )}
      </div>
    </Sheet>
  );
}
