import type { ConsumerSpec } from '@laurel/backend';
import type { CoreDeps } from './deps';
import { removeWorkspace } from './use-cases/remove-workspace';

export const coreConsumers = (deps: CoreDeps): ConsumerSpec[] => [
  {
    queue: 'passes.workspaces',
    bindings: ['identity.workspace_deleted'],
    handle: (event) => removeWorkspace(deps, event.workspaceid!),
  },
];
