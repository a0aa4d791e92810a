import type { RpcClient } from '@laurel/rpc';
import type { TemplateDirectory } from '../deps';

/** The pass templates that the passes service keeps. */
export function templateDirectory(
  passes: Pick<RpcClient<'passes'>, 'GetTemplates'>,
): TemplateDirectory {
  return {
    async unknownAmong(workspaceId, templateIds) {
      const request = { workspace_id: workspaceId, ids: [...templateIds] };
      const known = new Set((await passes.GetTemplates(request)).templates.map(({ id }) => id));
      return templateIds.filter((id) => !known.has(id));
    },
  };
}
