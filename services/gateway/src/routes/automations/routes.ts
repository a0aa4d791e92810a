import type { automations as api } from '@laurel/rpc';
import {
  data,
  del,
  get,
  type Input,
  member,
  message,
  patch,
  post,
  put,
  type Route,
  versioned,
} from '../../routing';
import { fromMoment, untilMoment } from '../../schema/types';
import { withClients } from '../clients/expand-client';
import { readLastDays } from '../overview/last-days';
import { presentSimulation, presentVerdict } from './present';
import * as schema from './schema';

const tag = 'Automations';

const update = {
  stack: member(),
  tag,
  summary: 'Change a rule; fields left out stay',
  description:
    'PUT and PATCH do the same. What is changed is checked: formulas by type, and that what it refers to is in the workspace. `active: false` is always taken, and limits that are set on a running rule count what it has done.',
  body: schema.updateRule,
  reply: schema.rule,
  versioned: true,
  handle: async ({
    rpc,
    workspaceId,
    params: { id },
    body,
  }: Input<':ws/automations/:id', unknown, schema.RuleBody>) => {
    const fields = body as api.RuleFields;
    return versioned(await rpc.automations.UpdateRule({ workspace_id: workspaceId, id, fields }));
  },
};

const toDraft = ({ id, ...fields }: schema.DraftBody) => ({
  ...(id === undefined ? {} : { id }),
  fields: fields as api.RuleFields,
});

/** Rules, what they did and what they would do (part 1, Automations; part 3, section 8). */
export const automationRoutes: Route[] = [
  get(':ws/automations', {
    stack: member(),
    tag,
    summary: 'List rules in the order in which they run',
    description:
      'Lower priority runs first, and each rule sees what those before it changed. `expand=last30` adds what each did in the last 30 days.',
    query: schema.listRules,
    reply: schema.ruleRows,
    handle: async ({ rpc, workspaceId, query: { expand, ...query } }) => {
      const request = { workspace_id: workspaceId, ...query };
      const { rules } = await rpc.automations.ListRules(request);
      if (!expand || rules.length === 0) return data(rules);
      const days = await readLastDays(rpc, workspaceId);
      const { rules: counted } = await rpc.automations.CountDailyExecutions({
        workspace_id: workspaceId,
        rule_ids: rules.map(({ id }) => id),
        ...days.asked,
      });
      const counts = new Map(counted.map((one) => [one.rule_id, one.executed_by_day]));
      return data(
        rules.map((rule) => ({ ...rule, last30: days.present(counts.get(rule.id) ?? []) })),
      );
    },
  }),
  post(':ws/automations', {
    stack: member(),
    tag,
    summary: 'Create a rule',
    description:
      'Formulas are type-checked; wallet types, rewards, webhooks, tiers, templates, segments and fields must be of the workspace.',
    status: 201,
    body: schema.createRule,
    reply: schema.rule,
    handle: async ({ rpc, workspaceId, body }) => {
      const fields = body as api.RuleFields;
      return data(await rpc.automations.CreateRule({ workspace_id: workspaceId, fields }));
    },
  }),
  get(':ws/automations/metadata', {
    stack: member(),
    tag,
    summary: 'Read what rules can be made of',
    description:
      'Labels, and what variables are about, in the language of `locale`; the rest in English.',
    query: schema.readMetadata,
    reply: schema.metadata,
    handle: async ({ rpc, workspaceId, query }) =>
      data(await rpc.automations.GetMetadata({ workspace_id: workspaceId, ...query })),
  }),
  post(':ws/automations/validate-formula', {
    stack: member(),
    tag,
    summary: 'Check a formula: what it gives, or what is wrong and where',
    description:
      'With client_id also its value for that client, by the event or, without one, as on a schedule; value_error says why there is none.',
    readOnly: true,
    body: schema.validateFormula,
    reply: schema.formulaVerdict,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = { workspace_id: workspaceId, ...body };
      return data(presentVerdict(await rpc.automations.ValidateFormula(request)));
    },
  }),
  get(':ws/automations/executions', {
    stack: member(),
    tag,
    summary: 'List what rules did, newest first',
    description:
      'Why a client got points, or why not: a skipped one says which limit stood in the way, a failed one what went wrong. A rule whose conditions did not hold leaves no execution.',
    query: schema.listExecutions,
    reply: schema.executions,
    handle: async (input) => {
      const { from_date, to_date, offset = 0, expand, ...query } = input.query;
      const { executions, total_count } = await input.rpc.automations.ListExecutions({
        workspace_id: input.workspaceId,
        ...query,
        from_date: fromMoment(from_date),
        to_date: untilMoment(to_date),
        offset,
      });
      const rows = await withClients(input, executions, expand);
      return data(rows, { total_count, returned_count: executions.length, offset });
    },
  }),
  post(':ws/automations/reorder', {
    stack: member(),
    tag,
    summary: 'Put all rules into the order in which they run',
    description:
      'Name every rule exactly once; their priorities become 0, 1, 2 and so on. Refused with 400 where one is missing or unknown.',
    body: schema.reorderRules,
    reply: schema.reorderedRules,
    handle: async ({ rpc, workspaceId, body: { rule_ids } }) =>
      data((await rpc.automations.ReorderRules({ workspace_id: workspaceId, rule_ids })).rules),
  }),
  post(':ws/automations/simulate', {
    stack: member(),
    tag,
    summary: 'Ask what the rules would do about an event; nothing is executed',
    description:
      '`matched` and `skipped` are the rules over the event itself, `following` those that would fire over what they do. `rules` are judged as if they were saved: beside the saved ones, and one with the `id` of a saved rule in its place.',
    readOnly: true,
    body: schema.simulate,
    reply: schema.simulation,
    handle: async ({ rpc, workspaceId, body: { rules, ...body } }) => {
      const request = {
        workspace_id: workspaceId,
        ...body,
        ...(rules === undefined ? {} : { rules: { items: rules.map(toDraft) } }),
      };
      return data(presentSimulation(await rpc.automations.Simulate(request)));
    },
  }),
  post(':ws/automations/backtest', {
    stack: member(),
    tag,
    summary: 'Replay stored events against a rule, as a job; nothing is executed',
    description:
      'Try a rule on what really happened before it is switched on: take a saved one or send a draft, and a range of days. Read the job for matches, points and a sample; what cannot be rebuilt is named in `approximations`.',
    status: 202,
    body: schema.startBacktest,
    reply: schema.backtest,
    handle: async ({ rpc, workspaceId, body: { rule, rule_id, from_date, to_date } }) => {
      const backtest = await rpc.automations.StartBacktest({
        workspace_id: workspaceId,
        ...(rule ? { rule: rule as api.RuleFields } : {}),
        ...(rule_id === undefined ? {} : { rule_id }),
        from_date: fromMoment(from_date)!,
        to_date: untilMoment(to_date)!,
      });
      return data(backtest);
    },
  }),
  get(':ws/automations/backtests/:id', {
    stack: member(),
    tag,
    summary: 'Read how far a backtest has come and what it found',
    description:
      'Poll it until status is `completed` or `failed`. Points are those that the rule would have given, by day and in all, with up to 50 cases to look at.',
    reply: schema.backtest,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(await rpc.automations.GetBacktest({ workspace_id: workspaceId, id })),
  }),
  get(':ws/automations/:id', {
    stack: member(),
    tag,
    summary: 'Read a rule',
    description:
      'Trigger, conditions, effects and limits, with `usage`: how often it ran, what it gave and what is left of its budget.',
    reply: schema.rule,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      versioned(await rpc.automations.GetRule({ workspace_id: workspaceId, id })),
  }),
  put(':ws/automations/:id', update),
  patch(':ws/automations/:id', update),
  post(':ws/automations/:id/duplicate', {
    stack: member(),
    tag,
    summary: 'Copy a rule; the copy is switched off',
    description: 'Without its key and what it did, under a name of its own.',
    status: 201,
    reply: schema.rule,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(await rpc.automations.DuplicateRule({ workspace_id: workspaceId, id })),
  }),
  del(':ws/automations/:id', {
    stack: member(),
    tag,
    summary: 'Delete a rule; what it did stays on record',
    description:
      'Points, rewards and executions stay. To pause a rule, set active to false instead.',
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.automations.DeleteRule({ workspace_id: workspaceId, id });
      return message('the automation rule is deleted');
    },
  }),
];
