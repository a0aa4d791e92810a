import { copyNameOf } from '@laurel/contract';
import { newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { passes as api, common } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { firstRevisionBy } from '../../domain/author';
import type { Template } from '../../domain/template/template';
import { refusals } from '../../refusals';
import { authorship } from '../pass/author';
import { withStatistics } from './read-templates';

/** A copy of a template in the same project. No pass is on it, and nothing gives it out until a distribution does. */
export async function duplicateTemplate(
  deps: PassDeps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Template> {
  const author = authorship(deps);
  const copy = await commitOnce(deps.connection, async (session) => {
    const all = await deps.templates.list(workspaceId, {}, session);
    const original = all.find((template) => template.id === id);
    if (!original) throw refusals.passTemplateNotFound();
    if (!(await deps.projects.touch(workspaceId, original.project_id, session)))
      throw refusals.unknownProject({ field: 'project_id' });
    const names = all.map(({ name }) => name);
    const made: Template = {
      ...original,
      id: newId(),
      key: null,
      name: copyNameOf(original.name, names),
      ...firstRevisionBy(author),
      migrating_to: null,
      migrated: 0,
    };
    await deps.templates.insert(made, session);
    return made;
  });
  return (await withStatistics(deps, workspaceId, [copy]))[0]!;
}
