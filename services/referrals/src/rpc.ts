import type { Handlers } from '@laurel/rpc';
import type { Deps } from './deps';
import { attribute } from './use-cases/attribute';
import { cancelPending } from './use-cases/cancel-pending';
import { cancelReferral } from './use-cases/cancel-referral';
import { completeReferral } from './use-cases/complete-referral';
import { countCompleted } from './use-cases/count-completed';
import { deleteProgram } from './use-cases/delete-program';
import { exportClient } from './use-cases/export-client';
import { findReferences } from './use-cases/find-references';
import { getAnalytics } from './use-cases/get-analytics';
import { getClientReferral } from './use-cases/get-client-referral';
import { getProgram } from './use-cases/get-program';
import { getStats } from './use-cases/get-stats';
import { listReferrals } from './use-cases/list-referrals';
import { putProgram } from './use-cases/put-program';
import { quoteCompletion } from './use-cases/quote-completion';

/** rpc -> use case. */
export const rpcHandlers = (deps: Deps): Handlers<'referrals'> => ({
  GetProgram: (request) => getProgram(deps, request),
  PutProgram: (request) => putProgram(deps, request),
  DeleteProgram: (request) => deleteProgram(deps, request),
  GetClientReferral: (request) => getClientReferral(deps, request),
  Attribute: (request) => attribute(deps, request),
  ListReferrals: (request) => listReferrals(deps, request),
  GetStats: (request) => getStats(deps, request),
  GetAnalytics: (request) => getAnalytics(deps, request),
  CompleteReferral: (request) => completeReferral(deps, request),
  CancelReferral: (request) => cancelReferral(deps, request),
  CancelPending: (request) => cancelPending(deps, request),
  QuoteCompletion: (request) => quoteCompletion(deps, request),
  CountCompleted: (request) => countCompleted(deps, request),
  FindReferences: (request) => findReferences(deps, request),
  ExportClient: (request) => exportClient(deps, request),
});
