import type { passes as api } from '@laurel/rpc';
import {
  data,
  del,
  get,
  member,
  memberOfRow,
  message,
  patch,
  post,
  type Route,
  versioned,
  withoutDeadline,
  workspaceOfRow,
} from '../../routing';
import { listByKey, requireSameWorkspace } from '../../schema/types';
import { presentSaved, presentTemplate } from './present';
import * as schema from './schema';

const tag = 'Pass templates';

const memberOfTemplate = (parameter?: string) =>
  memberOfRow(workspaceOfRow((rpc, row) => rpc.passes.LocateTemplate(row), parameter));

/** How passes look (part 2, Pass templates; part 3, section 10). */
export const passTemplateRoutes: Route[] = [
  get(':ws/pass-templates', {
    stack: member(),
    tag,
    summary: 'List pass templates, newest first',
    description: 'key finds the one that a programme of files manages.',
    query: listByKey(),
    reply: schema.templates,
    handle: async ({ rpc, workspaceId, query: { key } }) => {
      const { templates } = await rpc.passes.ListTemplates({ workspace_id: workspaceId, key });
      return data(templates.map(presentTemplate));
    },
  }),
  post(':ws/pass-templates', {
    stack: member(),
    tag,
    summary: 'Create a pass template of a project',
    description: 'A placeholder that nothing fills is no error: it is named in `meta.warnings`.',
    status: 201,
    body: schema.createTemplate,
    reply: schema.template,
    meta: schema.saved,
    handle: async ({ rpc, workspaceId, body }) => {
      const { workspace_id, project_id, ...fields } = body;
      requireSameWorkspace(workspace_id, workspaceId);
      const request = {
        workspace_id: workspaceId,
        project_id,
        fields: fields as api.TemplateFields,
      };
      return presentSaved(await rpc.passes.CreateTemplate(request));
    },
  }),
  get('/pass-templates/:id', {
    stack: memberOfTemplate(),
    tag,
    summary: 'Read a pass template',
    description: 'The design as it is kept. Its preview draws it as a phone would.',
    reply: schema.template,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      versioned(await rpc.passes.GetTemplate({ workspace_id: workspaceId, id }), presentTemplate),
  }),
  patch('/pass-templates/:id', {
    stack: memberOfTemplate(),
    tag,
    summary: 'Change a pass template; its passes are updated on phones',
    description:
      'Fields that are left out stay. Every pass on it is pushed, many of them at a measured pace; a placeholder that nothing fills is a warning in `meta.warnings`.',
    body: schema.updateTemplate,
    reply: schema.template,
    meta: schema.saved,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id }, body }) => {
      const { workspace_id, project_id, ...rest } = body;
      requireSameWorkspace(workspace_id, workspaceId);
      const fields = rest as api.TemplateFields;
      const request = { workspace_id: workspaceId, id, project_id, fields };
      return presentSaved(await rpc.passes.UpdateTemplate(request));
    },
  }),
  post('/pass-templates/:id/duplicate', {
    stack: memberOfTemplate(),
    tag,
    summary: 'Copy a pass template; no pass is on the copy',
    description: 'For a variant: a summer card, or one for a tier.',
    status: 201,
    reply: schema.template,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(presentTemplate(await rpc.passes.DuplicateTemplate({ workspace_id: workspaceId, id }))),
  }),
  del('/pass-templates/:id', {
    stack: memberOfTemplate(),
    tag,
    summary: 'Delete a pass template that no pass is on',
    description:
      'One that passes are on is refused with 409: migrate them to another first. So is one that a form, a rule, a campaign, a segment or a tier uses, with what uses it in `used_by`.',
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.passes.DeleteTemplate({ workspace_id: workspaceId, id });
      return message('the pass template is deleted');
    },
  }),
  post('/templates/:templateId/migrate-and-delete', {
    stack: memberOfTemplate('templateId'),
    tag,
    summary: 'Move all passes to another template and delete this one',
    description:
      'Of two passes of a client on the two templates, the one on the target keeps its client; the moved one is of nobody. Forms move along; one that a rule, a campaign, a segment or a tier uses is refused with 409 and `used_by`.',
    body: schema.migrateTemplate,
    reply: schema.migratedTemplate,
    handle: ({ rpc, workspaceId, params: { templateId: id }, body }) =>
      withoutDeadline(async () =>
        data(await rpc.passes.MigrateTemplate({ ...body, workspace_id: workspaceId, id })),
      ),
  }),
];
