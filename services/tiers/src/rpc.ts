import { createKeptAnswers } from '@laurel/mongo';
import type { Handlers } from '@laurel/rpc';
import type { Deps } from './deps';
import { assignTier } from './use-cases/assign-tier';
import { assignTiers } from './use-cases/assign-tiers';
import { countTierClients } from './use-cases/count-tier-clients';
import { createTier } from './use-cases/create-tier';
import { createTierSet } from './use-cases/create-tier-set';
import { deleteTier } from './use-cases/delete-tier';
import { deleteTierSet } from './use-cases/delete-tier-set';
import { exportClient } from './use-cases/export-client';
import { findReferences } from './use-cases/find-references';
import { foretellMoves } from './use-cases/foretell-moves';
import { getClientTier } from './use-cases/get-client-tier';
import { getClientTiers } from './use-cases/get-client-tiers';
import { getTier } from './use-cases/get-tier';
import { getTierSet } from './use-cases/get-tier-set';
import { listTierClients } from './use-cases/list-tier-clients';
import { listTierHistory } from './use-cases/list-tier-history';
import { getTiers, listTiers } from './use-cases/list-tiers';
import { previewTiers } from './use-cases/preview-tiers';
import { quoteAssignment } from './use-cases/quote-assignment';
import { getResyncJob, listResyncJobs } from './use-cases/read-resync-jobs';
import { recalculateTiers } from './use-cases/recalculate-tiers';
import { reorderTiers } from './use-cases/reorder-tiers';
import { unassignTier } from './use-cases/unassign-tier';
import { updateTier } from './use-cases/update-tier';
import { updateTierSet } from './use-cases/update-tier-set';

/** What others may ask of tiers. */
export const rpcHandlers = (deps: Deps): Handlers<'tiers'> => {
  const keptCounts = createKeptAnswers((workspace_id) => countTierClients(deps, { workspace_id }));
  return {
    GetTierSet: (request) => getTierSet(deps, request),
    CreateTierSet: (request) => createTierSet(deps, request),
    UpdateTierSet: (request) => updateTierSet(deps, request),
    DeleteTierSet: (request) => deleteTierSet(deps, request),
    ListTiers: (request) => listTiers(deps, request),
    GetTiers: (request) => getTiers(deps, request),
    GetTier: (request) => getTier(deps, request),
    CreateTier: (request) => createTier(deps, request),
    UpdateTier: (request) => updateTier(deps, request),
    DeleteTier: (request) => deleteTier(deps, request),
    ReorderTiers: (request) => reorderTiers(deps, request),
    AssignTier: (request) => assignTier(deps, request),
    QuoteAssignment: (request) => quoteAssignment(deps, request),
    ForetellMoves: (request) => foretellMoves(deps, request),
    AssignTiers: (request) => assignTiers(deps, request),
    UnassignTier: (request) => unassignTier(deps, request),
    GetClientTier: (request) => getClientTier(deps, request),
    GetClientTiers: (request) => getClientTiers(deps, request),
    ListTierHistory: (request) => listTierHistory(deps, request),
    ListTierClients: (request) => listTierClients(deps, request),
    CountTierClients: (request) => countTierClients(deps, request),
    GetTierFigures: ({ workspace_id }) => keptCounts.of(workspace_id),
    PreviewTiers: (request) => previewTiers(deps, request),
    RecalculateTiers: (request) => recalculateTiers(deps, request),
    ListResyncJobs: (request) => listResyncJobs(deps, request),
    GetResyncJob: (request) => getResyncJob(deps, request),
    FindReferences: (request) => findReferences(deps, request),
    ExportClient: (request) => exportClient(deps, request),
  };
};
