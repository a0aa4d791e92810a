import {
  bare,
  data,
  del,
  get,
  member,
  noContent,
  post,
  put,
  type Route,
  tagged,
  versioned,
} from '../../routing';
import { BATCH_MEMBERS_MAX } from '../../schema/bounds';
import {
  presentConnectionTest,
  presentHealth,
  presentImport,
  presentIntegration,
  presentProvisioned,
  presentSaved,
} from './present';
import * as schema from './schema';

const tag = 'Integrations';

const PROVIDERS = `
\`config\` is merged key by key, null takes a key away; \`secrets\` are set by text, cleared by null and never shown again.
A \`base_url\` of another scheme, host or port wants its \`api_key\` in the same request: the one that is kept goes only where it was given for.
\`token\`, and \`inbox_ingest_url\` with it, are shown once, when an inbox was made.

- \`webhook_inbox\` (inbound): \`mapping\` of event_category and event_type, one of client_id, barcode_value, email and phone,
  and where wanted amount, currency, external_id, event_timestamp and metadata; each a CEL expression over body and headers.
- \`pos\` (inbound, outbound, import): \`base_url\`, \`location_ids\` (numbers), \`default_location_id\`, \`tier_mappings\`
  (tier id: customer group), \`customer_id_mapping\` (client_id, external_id, barcode_value, email, phone: member of the
  customer); secrets \`api_key\`, \`webhook_secret\` (messages must then be signed as Standard Webhooks).
- \`crm_sync\` (outbound): \`base_url\`, \`field_mapping\` (field or custom_fields.name: name in the CRM); secret \`api_key\`.

Outbound needs base_url and api_key. Switching it on tells the other system of the clients there are, too. Inbound of webhook_inbox needs a mapping.`.trim();

const IMPORT = `
For \`pos\`: date_from, date_to (dates or timestamps) and location_ids (a part of the configured ones), all required. Imports of a workspace are worked on one after the other.

One import takes at most 500 000 transactions, 20 000 pages and 1 GiB; a page of the other system's answer at most 1 000 transactions and 8 MiB, with ids of up to 200 characters and a \`next_cursor\` of up to 2 000.
What goes beyond fails the import, and \`error_log\` names the limit: ask for a shorter range, or for fewer locations. Of a transaction of more than 64 KiB the \`items\` are left out; one that is larger without them is passed over and stands in \`error_log\`.`.trim();

/** Integrations with other systems (part 2, Integrations). */
export const integrationRoutes: Route[] = [
  get(':ws/integrations', {
    stack: member(),
    tag,
    summary: 'List what is configured, and the providers there are',
    description: 'Secrets are never in it, only their last four characters and when they were set.',
    wrapped: false,
    reply: schema.integrations,
    handle: async ({ rpc, workspaceId }) => {
      const { data: rows, available_providers } = await rpc.integrations.ListIntegrations({
        workspace_id: workspaceId,
      });
      return bare({ data: rows.map(presentIntegration), available_providers });
    },
  }),
  get(':ws/integrations/:provider', {
    stack: member(),
    tag,
    summary: 'Read an integration',
    description: 'Switches, configuration and the last error. 404 before the first PUT.',
    reply: schema.integration,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { provider } }) => {
      const request = { workspace_id: workspaceId, provider };
      return versioned(await rpc.integrations.GetIntegration(request), presentIntegration);
    },
  }),
  put(':ws/integrations/:provider', {
    stack: member(),
    tag,
    summary: 'Configure an integration; what is not sent stays',
    description: PROVIDERS,
    body: schema.putIntegration,
    wrapped: false,
    reply: schema.savedIntegration,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { provider }, body }) => {
      const request = { workspace_id: workspaceId, provider, ...body };
      const saved = await rpc.integrations.PutIntegration(request);
      return tagged(bare(presentSaved(saved)), saved.data?.etag);
    },
  }),
  del(':ws/integrations/:provider', {
    stack: member(),
    tag,
    summary: 'End an integration: its inbox takes nothing more, its imports are cancelled',
    description:
      'Configuration and secrets are deleted, and the inbox address stops working. Clients and events that came by it stay.',
    status: 204,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { provider } }) => {
      await rpc.integrations.DeleteIntegration({ workspace_id: workspaceId, provider });
      return noContent();
    },
  }),
  post(':ws/integrations/:provider/provision-inbox', {
    stack: member(),
    tag,
    summary:
      'Make the inbox; its token is shown only this once, and is null where there was an inbox',
    description:
      'PUT with enabled_inbound does it by itself; call this where the inbox was lost. A second call makes no second inbox.',
    wrapped: false,
    reply: schema.provisionedInbox,
    idempotent: false,
    handle: async ({ rpc, workspaceId, params: { provider } }) => {
      const request = { workspace_id: workspaceId, provider };
      return bare(presentProvisioned(await rpc.integrations.ProvisionInbox(request)));
    },
  }),
  post(':ws/integrations/:provider/rotate-inbox-token', {
    stack: member(),
    tag,
    summary: 'Give the inbox another token; the old address ends',
    description:
      'When an address got out. Give the new one to the sender at once: the old one is answered with 404 from now on.',
    wrapped: false,
    reply: schema.provisionedInbox,
    idempotent: false,
    handle: async ({ rpc, workspaceId, params: { provider } }) => {
      const request = { workspace_id: workspaceId, provider };
      return bare(presentProvisioned(await rpc.integrations.RotateInboxToken(request)));
    },
  }),
  get(':ws/integrations/:provider/health', {
    stack: member(),
    tag,
    summary: 'Read the health of an integration',
    description:
      'For a status board: what waits, what failed last and why, inbound and outbound. `inbox_missing` says that the inbox has to be made anew.',
    reply: schema.health,
    handle: async ({ rpc, workspaceId, params: { provider } }) => {
      const request = { workspace_id: workspaceId, provider };
      return data(presentHealth(await rpc.integrations.GetIntegrationHealth(request)));
    },
  }),
  post(':ws/integrations/:provider/test-connection', {
    stack: member(),
    tag,
    summary: 'Test whether the other system answers',
    description:
      'credentials may hold base_url and the secrets of the provider; without them what is stored is tried. A stored secret is never sent to an address that was only given here.',
    body: schema.testConnection,
    reply: schema.connectionTest,
    readOnly: true,
    handle: async ({ rpc, workspaceId, params: { provider }, body, awaitPeer }) => {
      const request = { workspace_id: workspaceId, provider, ...body };
      const tested = await awaitPeer(() => rpc.integrations.TestConnection(request));
      return data(presentConnectionTest(tested));
    },
  }),
  post(':ws/integrations/:provider/import-transactions', {
    stack: member(),
    tag,
    summary: 'Import transactions of the past in the background',
    description: IMPORT,
    body: schema.importTransactions,
    bodyMembersMax: BATCH_MEMBERS_MAX,
    reply: schema.importJob,
    handle: async ({ rpc, workspaceId, params: { provider }, body }) => {
      const request = { workspace_id: workspaceId, provider, parameters: body as never };
      return data(presentImport(await rpc.integrations.ImportTransactions(request)));
    },
  }),
  get(':ws/integrations/:provider/import-jobs', {
    stack: member(),
    tag,
    summary: 'List imports, newest first',
    description: 'Twenty unless limit says otherwise, each with counters and status.',
    query: schema.listImportJobs,
    reply: schema.importJobs,
    handle: async ({ rpc, workspaceId, params: { provider }, query: { limit } }) => {
      const request = { workspace_id: workspaceId, provider, limit };
      const { data: jobs } = await rpc.integrations.ListTransactionImports(request);
      return data(jobs.map(presentImport));
    },
  }),
  get(':ws/integrations/:provider/import-jobs/:jobId', {
    stack: member(),
    tag,
    summary: 'Read how far an import is',
    description:
      'Poll it until it has ended: what was fetched, recorded and refused, with the errors.',
    reply: schema.importJob,
    handle: async ({ rpc, workspaceId, params: { provider, jobId } }) => {
      const request = { workspace_id: workspaceId, provider, id: jobId };
      return data(presentImport(await rpc.integrations.GetTransactionImport(request)));
    },
  }),
  post(':ws/integrations/:provider/import-jobs/:jobId/cancel', {
    stack: member(),
    tag,
    summary: 'Stop an import; what was recorded by then stays',
    description:
      'Starting it again later records nothing twice, since transactions are known by the provider’s id. One that has ended is refused with 409.',
    reply: schema.importJob,
    handle: async ({ rpc, workspaceId, params: { provider, jobId } }) => {
      const request = { workspace_id: workspaceId, provider, id: jobId };
      return data(presentImport(await rpc.integrations.CancelTransactionImport(request)));
    },
  }),
];
