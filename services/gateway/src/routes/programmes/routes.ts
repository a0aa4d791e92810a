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
    description: 'For whoever is about to change a thing by hand: the next apply wants it back.',
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
    summary: 'Say all that the files of a programme manage, or whose turn it is to apply them',
    description:
      'Nothing but the register is changed. What is left out of managed is managed no more; of many things pages of changed and released say what is otherwise, the last of them when the turn ends. of what stays as it was, applied_at and by stay, too. A thing that another programme manages is refused. Whoever applies takes a turn first, under an id of their own: until it ends, everything under another id or none is refused, so that two never apply at once. Its last word may be said again under the If-Match of before. With `Prefer: return=minimal` managed of the answer holds only what the body names: of many things it would be long.',
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
