import { data, del, get, member, message, patch, post, put, type Route } from '../../routing';
import { fromMoment, untilMoment } from '../../schema/types';
import { withBeside } from './expand-rows';
import { pageMeta, toFilter } from './present';
import * as schema from './schema';

const tag = 'Clients';

/** Clients (part 1, Clients; part 3, section 3). */
export const clientRoutes: Route[] = [
  get(':ws/clients', {
    stack: member(),
    tag,
    summary: 'List clients',
    query: schema.listClients,
    description:
      'Filters compose; cf_<field> compares a custom field, any of several values. `meta.missing` names what expand asked for and could not be had.',
    reply: schema.clientRows,
    handle: async (input) => {
      const { rpc, workspaceId, query } = input;
      const { limit, offset = 0, cursor, sort, expand } = query;
      const request = { workspace_id: workspaceId, filter: toFilter(query), limit, offset };
      const page = await rpc.clients.ListClients({ ...request, cursor, sort });
      const { rows, missing } = await withBeside(input, page.clients, expand);
      return data(rows, { ...pageMeta(query, page), ...(missing.length > 0 ? { missing } : {}) });
    },
  }),
  get(':ws/clients/search', {
    stack: member(),
    tag,
    summary: 'Find clients by a part of name, e-mail address or phone',
    description:
      'For a search box at the counter: ten clients unless limit says more, accents and case do not matter, and parts are enough.',
    query: schema.searchClients,
    reply: schema.clients,
    handle: async ({ rpc, workspaceId, query: { q, limit } }) => {
      const request = { workspace_id: workspaceId, q, limit };
      return data((await rpc.clients.SearchClients(request)).clients);
    },
  }),
  post(':ws/clients', {
    stack: member(),
    tag,
    summary: 'Create a client',
    description:
      'All fields are optional; an e-mail address can be used once in a workspace. Where marketing_consent is given, time and source are kept as proof. Set loyalty_program_enabled for somebody who takes part in tiers and referrals; `client.created` follows.',
    body: schema.createClient,
    status: 201,
    reply: schema.client,
    handle: async ({ rpc, workspaceId, body }) =>
      data(await rpc.clients.CreateClient({ ...body, workspace_id: workspaceId })),
  }),
  post(':ws/clients/merge', {
    stack: member(),
    tag,
    summary: 'Merge one client into another',
    description:
      'Passes, events, wallets, tiers and redemptions move to the target; what it lacks is filled in from the source, which is gone afterwards.',
    body: schema.mergeClients,
    reply: schema.client,
    handle: async ({ rpc, workspaceId, body }) =>
      data(await rpc.clients.MergeClients({ ...body, workspace_id: workspaceId })),
  }),
  post(':ws/clients/signup-buckets', {
    stack: member(),
    tag,
    summary: 'Count new clients per day, week or month',
    description:
      'For a chart of growth: buckets of a time range (weeks unless group_by_time says otherwise), the total, and in percent how the last bucket compares with the one before.',
    readOnly: true,
    body: schema.countSignups,
    reply: schema.signupBuckets,
    handle: async ({ rpc, workspaceId, body }) => {
      const { from_date, to_date, group_by_time } = body;
      const request = {
        workspace_id: workspaceId,
        from_date: fromMoment(from_date),
        to_date: untilMoment(to_date),
        group_by_time,
      };
      return data(await rpc.clients.CountSignups(request));
    },
  }),
  get(':ws/clients/:id', {
    stack: member(),
    tag,
    summary: 'Read a client',
    description:
      'The person as the workspace knows them. Balances, tier, cards and events have lists of their own.',
    reply: schema.client,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(await rpc.clients.GetClient({ workspace_id: workspaceId, id })),
  }),
  patch(':ws/clients/:id', {
    stack: member(),
    tag,
    summary: 'Change a client; custom fields are merged',
    description:
      'Fields that are left out stay, null empties one, and custom_fields are merged key by key. Each field that changed is told as `field_change`, which rules may listen to. An anonymized client takes no change.',
    body: schema.updateClient,
    reply: schema.client,
    handle: async ({ rpc, workspaceId, params: { id }, body }) =>
      data(await rpc.clients.UpdateClient({ ...body, workspace_id: workspaceId, id })),
  }),
  del(':ws/clients/:id', {
    stack: member(),
    tag,
    summary: 'Delete a client; its events stay, without names and values',
    description:
      'Cards end on the phones, balances are closed by an entry, and outside systems that know the client are told to delete them, too. To keep figures and history but no person, anonymize instead; `client.deleted` follows.',
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.clients.DeleteClient({ workspace_id: workspaceId, id });
      return message('the client is deleted');
    },
  }),
  post(':ws/clients/:id/anonymize', {
    stack: member(),
    tag,
    summary: 'Erase what says who a client is; there is no way back',
    description:
      'The record stays for the figures: name, addresses, custom fields and consent go, in every service within seconds; cards end, points lapse, sessions of the portal are over. `client.anonymized` follows.',
    reply: schema.client,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(await rpc.clients.AnonymizeClient({ workspace_id: workspaceId, id })),
  }),
  get(':ws/clients/:id/external-identities', {
    stack: member(),
    tag,
    summary: 'List the ids under which outside systems know a client',
    description:
      'Which till or CRM knows this client, and as whom. When the client is deleted those systems are told by these ids.',
    reply: schema.identities,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      const request = { workspace_id: workspaceId, client_id: id };
      return data((await rpc.clients.ListExternalIdentities(request)).identities);
    },
  }),
  put(':ws/clients/:id/external-identities/:provider', {
    stack: member(),
    tag,
    summary: 'Say under which id a provider knows a client',
    description:
      'Link a client once, so that the outside system and Laurel speak of the same person. Replaces the id that this provider had; one that another client has is refused with 409 `identity_taken`.',
    params: { provider: schema.provider },
    body: schema.putIdentity,
    reply: schema.identity,
    handle: async ({ rpc, workspaceId, params: { id, provider }, body }) => {
      const request = { workspace_id: workspaceId, client_id: id, provider, ...body };
      return data(await rpc.clients.PutExternalIdentity(request));
    },
  }),
  del(':ws/clients/:id/external-identities/:provider', {
    stack: member(),
    tag,
    summary: 'Forget under which id a provider knows a client',
    description: 'The outside system is not told, and keeps what it has.',
    params: { provider: schema.provider },
    handle: async ({ rpc, workspaceId, params: { id, provider } }) => {
      const request = { workspace_id: workspaceId, client_id: id, provider };
      await rpc.clients.DeleteExternalIdentity(request);
      return message('the external identity is deleted');
    },
  }),
];
