import { wholePerson } from '@laurel/mongo';
import type { Handlers } from '@laurel/rpc';
import type { Deps } from './deps';
import { countDailyExecutions } from './use-cases/count-daily-executions';
import { deleteRule } from './use-cases/delete-rule';
import { duplicateRule } from './use-cases/duplicate-rule';
import { streamClientExport } from './use-cases/export-client';
import { findReferences } from './use-cases/find-references';
import { followEvent } from './use-cases/follow-event';
import { getBacktest } from './use-cases/get-backtest';
import { getMetadata } from './use-cases/get-metadata';
import { getRule } from './use-cases/get-rule';
import { getSetup } from './use-cases/get-setup';
import { createLastingRule, updateLastingRule } from './use-cases/keep-references';
import { listAttention } from './use-cases/list-attention';
import { listExecutions } from './use-cases/list-executions';
import { listRules } from './use-cases/list-rules';
import { reorderRules } from './use-cases/reorder-rules';
import { search } from './use-cases/search';
import { simulate } from './use-cases/simulate';
import { startBacktest } from './use-cases/start-backtest';
import { validateFormula } from './use-cases/validate-formula';

/** rpc -> use case. */
export const rpcHandlers = (deps: Deps): Handlers<'automations'> => ({
  ListRules: (request) => listRules(deps, request),
  GetRule: (request) => getRule(deps, request),
  CreateRule: (request) => createLastingRule(deps, request),
  DuplicateRule: (request) => duplicateRule(deps, request),
  UpdateRule: (request) => updateLastingRule(deps, request),
  DeleteRule: (request) => deleteRule(deps, request),
  ReorderRules: (request) => reorderRules(deps, request),
  GetMetadata: async (request) => getMetadata(request),
  ValidateFormula: (request) => validateFormula(deps, request),
  CountDailyExecutions: (request) => countDailyExecutions(deps, request),
  ListExecutions: (request) => listExecutions(deps, request),
  FollowEvent: (request) => followEvent(deps, request),
  Simulate: (request) => simulate(deps, request),
  StartBacktest: (request) => startBacktest(deps, request),
  GetBacktest: (request) => getBacktest(deps, request),
  FindReferences: (request) => findReferences(deps, request),
  GetSetup: (request) => getSetup(deps, request),
  Search: (request) => search(deps, request),
  ListAttention: (request) => listAttention(deps, request),
  ExportClient: (request) => wholePerson(streamClientExport(deps, request)),
  StreamClientExport: (request) => streamClientExport(deps, request),
});
