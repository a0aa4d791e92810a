import type { ClientImportCheck } from '@laurel/client';
import { Button, Checkbox } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Loaded, Trouble } from '../../parts/loaded';
import { Sheet } from '../../parts/sheet';
import { useWish } from '../../parts/wish';
import { guessField } from './guess-field';
import { ImportCheck, type Mapping } from './import-check';
import { ImportList } from './import-list';
import { isOver } from './import-outcome';
import { ImportProgress } from './import-progress';

const EVERY_MS = 1_000;
/** So much of a file is looked at before it is imported. */
const HEAD_BYTES = 1024 * 1024;

interface Wanted {
  file: File;
  mode: 'create' | 'upsert';
  mapping: Mapping;
  isJoining: boolean;
}

function formOf(content: Blob, name: string): FormData {
  const body = new FormData();
  body.append('file', content, name);
  return body;
}

const queryOf = (mode: Wanted['mode'], mapping: Mapping) => ({
  mode,
  ...(Object.keys(mapping).length > 0 ? { mapping: JSON.stringify(mapping) } : {}),
});

/**
 * Customers of an old system, from a file with a line for each.
 *
 * @param opened an import of before, to be looked at
 */
export function ImportCustomers({
  opened,
  onClose,
}: {
  opened?: string | undefined;
  onClose: () => void;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const [file, setFile] = useState<File | null>(null);
  const chosen = useRef(file);
  chosen.current = file;
  const [isUpdating, setUpdating] = useState(false);
  const [isJoining, setJoining] = useState(true);
  const [job, setJob] = useState(opened ?? null);
  const [mapping, setMapping] = useState<Mapping>({});
  const model = useAsk(['data-model'], () => laurel.dataModel.list());
  const ownFields = (model.data ?? [])
    .filter(({ is_system }) => !is_system)
    .map(({ field_name }) => field_name);
  const check = useAsk(
    ['import-check', file?.name, file?.size, file?.lastModified, mapping],
    async () => {
      const head = formOf(file!.slice(0, HEAD_BYTES), file!.name);
      const asked = queryOf('upsert', mapping);
      const found: ClientImportCheck = await laurel.clients.createImportCheck(head, asked);
      // Unknown columns are guessed once; what nothing is like is left out.
      const unknown = found.columns.filter(({ column, field }) => !field && !(column in mapping));
      // Of another file that was chosen since its columns are no news.
      if (unknown.length > 0 && chosen.current === file)
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
  // Sent before its columns are known, a file would be read without those that only their likeness tells.
  const isLookedAt = check.isError || !(check.isPending || check.isPlaceholderData);
  const wish = useWish(
    (wanted: Wanted, options) =>
      laurel.clients.import(
        formOf(wanted.file, wanted.file.name),
        {
          ...queryOf(wanted.mode, wanted.mapping),
          loyalty_program_enabled: wanted.isJoining,
        },
        options,
      ),
    ({ id }) => {
      setJob(id);
      forget('imports');
    },
  );
  const progress = useAsk(
    ['import', job],
    async () => {
      const found = await laurel.clients.getImportJob(job!);
      if (isOver(found)) forget('customers', 'imports', 'overview');
      return found;
    },
    {
      isWanted: job !== null,
      // An id out of the address may be of none, which stays so.
      everyMs: (found) => (found ? !isOver(found) : job !== opened) && EVERY_MS,
    },
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
            <Checkbox
              label={say('import.join')}
              description={say('import.join.hint')}
              checked={isJoining}
              onChange={(event) => setJoining(event.currentTarget.checked)}
            />
            {wish.refused !== null && <Trouble error={wish.refused} />}
            <Button
              disabled={file === null || !isLookedAt}
              loading={wish.isBusy}
              onClick={() =>
                file &&
                void wish.send({ file, mode: isUpdating ? 'upsert' : 'create', mapping, isJoining })
              }
            >
              {say('import.go')}
            </Button>
            {file === null && <ImportList onOpen={setJob} />}
          </>
        ) : (
          <Loaded query={progress}>
            {(found) => (
              <>
                <ImportProgress job={found} />
                {isOver(found) && <Button onClick={onClose}>{say('close')}</Button>}
              </>
            )}
          </Loaded>
        )}
      </div>
    </Sheet>
  );
}
