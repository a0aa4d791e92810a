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
  workspaceOfRow,
} from '../../routing';
import { listByKey, ofKey } from '../../schema/types';
import { presentTemplate } from '../pass-templates/present';
import * as templateSchema from '../pass-templates/schema';
import { presentPassPage } from '../passes/present';
import * as passSchema from '../passes/schema';
import { presentProject, toProjectRequest } from './present';
import * as schema from './schema';

const tag = 'Projects';

/** The workspace of the project that a path names. */
export const workspaceOfProject = workspaceOfRow((rpc, row) => rpc.passes.LocateProject(row));

/** Projects and what belongs to them (part 2, Projects; part 3, section 10). */
export const projectRoutes: Route[] = [
  get(':ws/projects', {
    stack: member(),
    tag,
    summary: 'List projects, newest first',
    description: 'Brands or programmes of the workspace. key finds the one that files manage.',
    query: listByKey(),
    reply: schema.projects,
    handle: async ({ rpc, workspaceId, query: { key } }) => {
      const { projects } = await rpc.passes.ListProjects({ workspace_id: workspaceId });
      return data(ofKey(projects, key).map(presentProject));
    },
  }),
  post(':ws/projects', {
    stack: member(),
    tag,
    summary: 'Create a project; keys of your own are kept',
    description:
      'Templates, forms and passes belong to a project, so a workspace needs one at least.',
    status: 201,
    body: schema.createProject,
    reply: schema.project,
    handle: async ({ rpc, workspaceId, body }) => {
      const { key, name = '', extra } = toProjectRequest(body);
      const request = { workspace_id: workspaceId, key, name, extra };
      return data(presentProject(await rpc.passes.CreateProject(request)));
    },
  }),
  get('/projects/:id', {
    stack: memberOfRow(workspaceOfProject),
    tag,
    summary: 'Read a project',
    description: 'Name, and keys of your own as you gave them.',
    reply: schema.project,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      versioned(await rpc.passes.GetProject({ workspace_id: workspaceId, id }), presentProject),
  }),
  patch('/projects/:id', {
    stack: memberOfRow(workspaceOfProject),
    tag,
    summary: 'Change a project; keys of your own are merged',
    description:
      'Sent keys replace those of the same name, others stay. workspace_id is passed over: a project does not move.',
    body: schema.updateProject,
    reply: schema.project,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id }, body }) => {
      const request = { workspace_id: workspaceId, id, ...toProjectRequest(body) };
      return versioned(await rpc.passes.UpdateProject(request), presentProject);
    },
  }),
  del('/projects/:id', {
    stack: memberOfRow(workspaceOfProject),
    tag,
    summary: 'Delete a project that has no passes, with its templates and distributions',
    description:
      'With passes it is refused with 409 `project_has_passes`; and with `used_by` where something in use names one of its templates or forms.',
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.passes.DeleteProject({ workspace_id: workspaceId, id });
      return message('the project is deleted');
    },
  }),
  get('/projects/:id/stats', {
    stack: memberOfRow(workspaceOfProject),
    tag,
    summary: 'Count the templates and passes of a project',
    description: 'Two figures, for a list of projects.',
    reply: schema.projectStats,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      const stats = await rpc.passes.GetProjectStats({ workspace_id: workspaceId, id });
      return data({ templateCount: stats.template_count, passCount: stats.pass_count });
    },
  }),
  get('/projects/:id/templates', {
    stack: memberOfRow(workspaceOfProject),
    tag,
    summary: 'List the pass templates of a project, newest first',
    description: 'The designs that passes of this project can be on.',
    reply: templateSchema.templates,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      const request = { workspace_id: workspaceId, project_id: id };
      return data((await rpc.passes.ListTemplates(request)).templates.map(presentTemplate));
    },
  }),
  get('/projects/:id/passes', {
    stack: memberOfRow(workspaceOfProject),
    tag,
    summary: 'List the passes of a project, newest first',
    description: 'The same rows as the list of all passes.',
    query: schema.listPasses,
    reply: passSchema.passes,
    handle: async ({ rpc, workspaceId, params: { id }, query }) => {
      const { limit, offset = 0, cursor } = query;
      const request = { workspace_id: workspaceId, project_id: id, limit, offset, cursor };
      return presentPassPage(query, await rpc.passes.ListPasses(request));
    },
  }),
];
