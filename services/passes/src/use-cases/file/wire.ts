import type { passes as api } from '@laurel/rpc';
import type { StoredFile } from '../../store/files';

export function toFileReply({
  workspace_id: _workspace,
  date_created: _date,
  ...file
}: StoredFile): api.File {
  return file;
}
