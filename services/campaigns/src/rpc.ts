import type { Handlers } from '@laurel/rpc';
import type { Deps } from './deps';
import { cancelCampaign } from './use-cases/cancel-campaign';
import { countAudience } from './use-cases/count-audience';
import { createAction } from './use-cases/create-action';
import { createCampaign } from './use-cases/create-campaign';
import { deleteAction } from './use-cases/delete-action';
import { deleteCampaign } from './use-cases/delete-campaign';
import { duplicateCampaign } from './use-cases/duplicate-campaign';
import { estimateCampaign } from './use-cases/estimate-campaign';
import { executeAction, executeActions } from './use-cases/execute-action';
import { exportClient } from './use-cases/export-client';
import { findReferences } from './use-cases/find-references';
import { getCampaign } from './use-cases/get-campaign';
import { getActionStats, getStatistics } from './use-cases/get-statistics';
import { launchCampaign } from './use-cases/launch-campaign';
import { listActions } from './use-cases/list-actions';
import { listAttention } from './use-cases/list-attention';
import { listCalendar } from './use-cases/list-calendar';
import { listCampaigns } from './use-cases/list-campaigns';
import { listErrors, listMembers } from './use-cases/list-members';
import { listUnreachable } from './use-cases/list-unreachable';
import { locateAction, locateCampaign } from './use-cases/locate-rows';
import { measureReachability } from './use-cases/measure-reachability';
import { measureResponse } from './use-cases/measure-response';
import { previewAudience } from './use-cases/preview-audience';
import { reorderActions } from './use-cases/reorder-actions';
import { scheduleCampaign } from './use-cases/schedule-campaign';
import { search } from './use-cases/search';
import { summarizeCampaigns } from './use-cases/summarize-campaigns';
import { unscheduleCampaign } from './use-cases/unschedule-campaign';
import { updateAction } from './use-cases/update-action';
import { updateCampaign } from './use-cases/update-campaign';

/** rpc -> use case. */
export const rpcHandlers = (deps: Deps): Handlers<'campaigns'> => ({
  ListCampaigns: (request) => listCampaigns(deps, request),
  ListCalendar: (request) => listCalendar(deps, request),
  GetCampaign: (request) => getCampaign(deps, request),
  CreateCampaign: (request) => createCampaign(deps, request),
  UpdateCampaign: (request) => updateCampaign(deps, request),
  DeleteCampaign: (request) => deleteCampaign(deps, request),
  DuplicateCampaign: (request) => duplicateCampaign(deps, request),
  SummarizeCampaigns: (request) => summarizeCampaigns(deps, request),
  ListActions: (request) => listActions(deps, request),
  CreateAction: (request) => createAction(deps, request),
  UpdateAction: (request) => updateAction(deps, request),
  DeleteAction: (request) => deleteAction(deps, request),
  ReorderActions: (request) => reorderActions(deps, request),
  ScheduleCampaign: (request) => scheduleCampaign(deps, request),
  UnscheduleCampaign: (request) => unscheduleCampaign(deps, request),
  LaunchCampaign: (request) => launchCampaign(deps, request),
  CancelCampaign: (request) => cancelCampaign(deps, request),
  ExecuteAction: (request) => executeAction(deps, request),
  ExecuteActions: (request) => executeActions(deps, request),
  PreviewAudience: (request) => previewAudience(deps, request),
  CountAudience: (request) => countAudience(deps, request),
  EstimateCampaign: (request) => estimateCampaign(deps, request),
  MeasureReachability: (request) => measureReachability(deps, request),
  ListUnreachable: (request) => listUnreachable(deps, request),
  ListMembers: (request) => listMembers(deps, request),
  ListErrors: (request) => listErrors(deps, request),
  MeasureResponse: (request) => measureResponse(deps, request),
  GetStatistics: (request) => getStatistics(deps, request),
  GetActionStats: (request) => getActionStats(deps, request),
  LocateCampaign: (request) => locateCampaign(deps, request),
  LocateAction: (request) => locateAction(deps, request),
  FindReferences: (request) => findReferences(deps, request),
  Search: (request) => search(deps, request),
  ListAttention: (request) => listAttention(deps, request),
  ExportClient: (request) => exportClient(deps, request),
});
