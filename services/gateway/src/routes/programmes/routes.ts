import type { identity } from '@laurel/rpc';
import { data, get, member, put, type Route, versioned } from '../../routing';
import * as schema from './schema';

const tag = 'Programmes';

/** What the files of a programme own, so that a plan can tell what somebody changed by hand (docs/adr/0022). */
export const programmeRoutes: Route[] = [
  get(':ws/programmes', {
    stack: member(),
    tag,
    summary: 'List the programmes that files manage, and what they manage',
    description:
      'Look here before you change a thing by hand: the next apply asks what is to become of the change.',
    reply: schema.programmes,
    handle: async ({ rpc, workspaceId }) =>
      data((await rpc.identity.ListProgrammes({ workspace_id: workspaceId })).data),
  }),
  get(':ws/programmes/:name', {
    stack: member(),
    tag,
    summary: 'Read what the files of a programme manage, and how it was when they were applied',
    description:
      'Kinds, keys and a fingerprint of each field, by which `laurel programme plan` tells what was changed by hand. 404 for a name that nothing was ever applied under.',
    params: schema.named,
    reply: schema.programme,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { name } }) =>
      versioned(await rpc.identity.GetProgramme({ workspace_id: workspaceId, name }), present),
  }),
  put(':ws/programmes/:name', {
    stack: member(),
    tag,
    summary: 'Record what the files of a programme manage, or whose turn it is to apply them',
    description:
      'Changes the register and nothing else. What is left out of `managed` is no longer managed; for many things, send pages of `changed` and `released` instead, the last of them with the end of the turn. What stays as it was keeps its applied_at and by. A thing that another programme manages is refused. Before you apply, take a turn under an id of your own: until it ends, requests under another id or none are refused, so that two never apply at once. The last request of a turn may be sent again with the same If-Match. With `Prefer: return=minimal` the answer’s `managed` holds only what the body names, since the whole may be long.',
    params: schema.named,
    body: schema.putProgramme,
    bodyMembersMax: schema.MEMBERS_MAX,
    reply: schema.programme,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { name }, body, request: { headers } }) => {
      const request = {
        workspace_id: workspaceId,
        name,
        managed: (body.managed ?? []).map(toThing),
        keeps_managed: body.managed === undefined,
        changed: (body.changed ?? []).map(toThing),
        released: body.released ?? [],
        turn: body.turn,
        tells_named: /\breturn=minimal\b/.test(String(headers.prefer ?? '')),
      };
      const isPart = body.changed !== undefined || body.released !== undefined;
      const changed = isPart
        ? rpc.identity.ChangeProgramme(request)
        : rpc.identity.PutProgramme(request);
      return versioned(await changed, present);
    },
  }),
];

const toThing = ({ fields, ...thing }: schema.ManagedThing) => ({
  ...thing,
  fields: Object.entries(fields).map(([field, digest]) => ({ name: field, digest })),
});

const presentBy = ({ type, id, email }: identity.ManagedBy) => ({
  type,
  id: id ?? null,
  email: email ?? null,
});

const present = ({ managed, turn, ...programme }: Omit<identity.Programme, 'etag'>) => ({
  ...programme,
  turn: turn ? { by: presentBy(turn.by!), until: turn.until } : null,
  managed: managed.map(({ thing, applied_at, by }) => ({
    kind: thing!.kind,
    key: thing!.key,
    fields: Object.fromEntries(thing!.fields.map(({ name, digest }) => [name, digest])),
    applied_at,
    by: presentBy(by!),
  })),
});
