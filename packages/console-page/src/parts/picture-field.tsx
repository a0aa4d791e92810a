import type { StoredPicture } from '@laurel/client';
import type { PictureUse } from '@laurel/contract';
import { type ReactNode, useId, useState } from 'react';
import { useConsole } from '../console';
import { Trouble } from './loaded';
import { NamedButton } from './named-button';
import { Notice } from './notice';
import { Picture } from './picture';
import { useWish } from './wish';

/** A picture that is put into the workspace's files when it is chosen; its value is then the file's id. */
export function PictureField({
  label,
  purpose,
  value,
  onChange,
  error,
}: {
  label: string;
  /** What it is for: then what will look poor about it is said. */
  purpose?: PictureUse;
  value: string | null;
  onChange: (id: string | null) => void;
  error?: string | undefined;
}): ReactNode {
  const { laurel, language, workspace } = useConsole();
  const { say } = language;
  const id = useId();
  const [warnings, setWarnings] = useState<StoredPicture['warnings']>([]);
  const wish = useWish(
    (file: File, options): Promise<StoredPicture> => {
      const body = new FormData();
      body.append('workspace_id', workspace.id);
      if (purpose) body.append('purpose', purpose);
      body.append('file', file);
      return laurel.files.upload(body, options);
    },
    (stored) => {
      setWarnings(stored.warnings);
      onChange(stored.id);
    },
  );
  return (
    <div className="picture-field">
      <label htmlFor={id}>{label}</label>
      <div className="row">
        <Picture source={value} size="width=160" height="64" />
        <input
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          disabled={wish.isBusy}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) void wish.send(file);
          }}
        />
        {value && (
          <NamedButton name={label} onClick={() => onChange(null)}>
            {say('remove')}
          </NamedButton>
        )}
      </div>
      {value && warnings.length > 0 && (
        <Notice kind="warn">{warnings.map(({ code }) => say(`picture.${code}`)).join(' ')}</Notice>
      )}
      {error && <p className="field-error">{error}</p>}
      {wish.refused !== null && <Trouble error={wish.refused} />}
    </div>
  );
}
