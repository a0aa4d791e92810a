import { backend, targetOf } from '@laurel/config';

export const settings = {
  ...backend,
  clientsTarget: targetOf('clients'),
} as const;
