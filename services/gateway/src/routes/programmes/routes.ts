import type { identity } from '@laurel/rpc';
import { get, member, put, type Route, versioned } from '../../routing';
import * as schema from './schema';

const tag = 'Programmes';

/** What the files of a programme own, so that a plan can tell what somebody changed by hand (docs/adr/0022). */
export const programmeRoutes: Route[] = [
  get(':ws/programmes/:name', {
    stack: member(),
    tag,
    summary: 'Read what the files of a programme manage, and how it was when they were applied',
    params: schema.named,
    reply: schema.programme,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { name } }) =>
      versioned(await rpc.identity.GetProgramme({ workspace_id: workspaceId, name }), present),
  }),
  put(':ws/programmes/:name', {
    stack: member(),
    tag,
    summary: 'Say all that the files of a programme manage',
    description:
      'Nothing but the register is changed. What is left out is managed no more; of what stays as it was, applied_at and by stay, too. A thing that another programme manages is refused.',
    params: schema.named,
    body: schema.putProgramme,
    bodyMembersMax: schema.MEMBERS_MAX,
    reply: schema.programme,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { name }, body }) => {
      const managed = body.managed.map(({ fields, ...thing }) => ({
        ...thing,
        fields: Object.entries(fields).map(([field, digest]) => ({ name: field, digest })),
      }));
      const request = { workspace_id: workspaceId, name, managed };
      return versioned(await rpc.identity.PutProgramme(request), present);
    },
  }),
];

const present = ({ managed, ...programme }: Omit<identity.Programme, 'etag'>) => ({
  ...programme,
  managed: managed.map(({ thing, applied_at, by }) => ({
    kind: thing!.kind,
    key: thing!.key,
    fields: Object.fromEntries(thing!.fields.map(({ name, digest }) => [name, digest])),
    applied_at,
    by: { type: by!.type, id: by!.id ?? null, email: by!.email ?? null },
  })),
});
