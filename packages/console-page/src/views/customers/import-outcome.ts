import type { ClientImportJob } from '@laurel/client';

/** What became of an import: one that has come to its end may have left lines out. */
export type ImportOutcome = ClientImportJob['status'] | 'partly';

export const outcomeOf = ({
  status,
  failed,
}: Pick<ClientImportJob, 'status' | 'failed'>): ImportOutcome =>
  status === 'completed' && failed > 0 ? 'partly' : status;

/** Whether nothing more comes of it. */
export const isOver = ({ status }: Pick<ClientImportJob, 'status'>): boolean =>
  status !== 'pending' && status !== 'running';

/** How it looks. */
export const KIND_OF = {
  pending: 'plain',
  running: 'plain',
  completed: 'good',
  partly: 'warn',
  failed: 'bad',
  cancelled: 'warn',
} as const satisfies Record<ImportOutcome, string>;
