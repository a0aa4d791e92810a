import { data, del, get, member, message, patch, post, type Route } from '../../routing';
import * as schema from './schema';

const tag = 'Data model';

/** What a workspace knows clients by (part 3, section 3). */
export const dataModelRoutes: Route[] = [
  get(':ws/data-model', {
    stack: member(),
    tag,
    summary: 'List fields: system fields first, then custom fields in their order',
    description:
      'What a client form can have: fixed fields, which cannot be changed, and those of the workspace. Types and options are what values are checked by.',
    reply: schema.fields,
    handle: async ({ rpc, workspaceId }) =>
      data((await rpc.clients.ListFields({ workspace_id: workspaceId })).fields),
  }),
  post(':ws/data-model', {
    stack: member(),
    tag,
    summary: 'Define a custom field; its values are checked from then on',
    description:
      'Custom fields need no definition; one that has it is checked by type wherever it is written, shown with a label in forms and the staff app, and can be asked for there. The name is fixed from now on. A workspace defines at most 500.',
    body: schema.createField,
    status: 201,
    reply: schema.field,
    handle: async ({ rpc, workspaceId, body }) =>
      data(await rpc.clients.CreateField({ ...body, workspace_id: workspaceId })),
  }),
  patch(':ws/data-model/:id', {
    stack: member(),
    tag,
    summary: 'Change a custom field; its name is fixed',
    description:
      'Label, type, options and order may change; values that clients have are not touched, only what is written from now on is checked anew. System fields are refused with 400.',
    body: schema.updateField,
    reply: schema.field,
    handle: async ({ rpc, workspaceId, params: { id }, body }) =>
      data(await rpc.clients.UpdateField({ ...body, workspace_id: workspaceId, id })),
  }),
  del(':ws/data-model/:id', {
    stack: member(),
    tag,
    summary: 'Delete the definition of a custom field; values that clients have stay',
    description:
      'The field is free-form again and forms no longer offer it. System fields are refused with 400.',
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.clients.DeleteField({ workspace_id: workspaceId, id });
      return message('the field is deleted');
    },
  }),
];
