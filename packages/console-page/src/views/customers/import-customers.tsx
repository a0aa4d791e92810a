import type { ClientImportCheck, ClientImportJob } from '@laurel/client';
import { Button, Checkbox } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { lineInWords } from '../../in-words';
import { useAsk, useForget } from '../../parts/ask';
import { Loaded, Trouble } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Sheet } from '../../parts/sheet';
import { useWish } from '../../parts/wish';
import { nameOfField } from './fields';
import { guessField } from './guess-field';
import { ImportCheck, type Mapping } from './import-check';
import { ImportList } from './import-list';

const EVERY_MS = 1_000;
/** So much of a file is looked at before it is imported. */
const HEAD_BYTES = 1024 * 1024;
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
  const [mapping, setMapping] = useState<Mapping>({});
  const model = useAsk(['data-model'], () => laurel.dataModel.list());
  const ownFields = (model.data ?? [])
    .filter(({ is_system }) => !is_system)
    .map(({ field_name }) => field_name);
  const send = async (path: string, content: Blob, headers: Record<string, string> = {}) => {
    const body = new FormData();
    body.append('file', content, file!.name);
    const joint = path.includes('?') ? '&' : '?';
    const asked = Object.keys(mapping).length > 0 ? JSON.stringify(mapping) : '';
    const query = asked ? `${joint}mapping=${encodeURIComponent(asked)}` : '';
    const address = `/service-api/workspace/${workspace.id}/clients/import${path}${query}`;
    const answer = await fetch(address, { method: 'POST', body, headers });
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.errors?.[0]?.message ?? say('refused.other'));
    return said.data;
  };
  const check = useAsk(
    ['import-check', file?.name, file?.size, file?.lastModified, mapping],
    async () => {
      const found: ClientImportCheck = await send('/check?mode=upsert', file!.slice(0, HEAD_BYTES));
      // Unknown columns are guessed once; what nothing is like is left out.
      const unknown = found.columns.filter(({ column, field }) => !field && !(column in mapping));
      if (unknown.length > 0)
        setMapping({
          ...mapping,
          ...Object.fromEntries(
            unknown.map(({ column }) => [column, guessField(column, ownFields)]),
          ),
        });
      return found;
    },
    { isWanted: file !== null && job === null && !model.isPending },
  );
  const wish = useWish(
    async (mode: 'create' | 'upsert', { idempotencyKey }): Promise<ClientImportJob> =>
      send(`?mode=${mode}`, file!, { 'Idempotency-Key': idempotencyKey }),
    ({ id }) => {
      setJob(id);
      forget('imports');
    },
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
    <Sheet title={say('customers.import')} onClose={onClose} isWide>
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
                onChange={(event) => {
                  setMapping({});
                  setFile(event.currentTarget.files?.[0] ?? null);
                }}
              />
            </label>
            {file !== null && (
              <Loaded query={check}>
                {(found) => (
                  <ImportCheck
                    check={found}
                    mapping={mapping}
                    ownFields={ownFields}
                    isOld={check.isPlaceholderData}
                    onChange={setMapping}
                  />
                )}
              </Loaded>
            )}
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
            {file === null && <ImportList onOpen={setJob} />}
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
                    <li key={row}>
                      {say('import.row', {
                        row,
                        message: lineInWords(say, message, (field) => nameOfField(say, field)),
                      })}
                    </li>
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
