import { invalidField, type Json, type JsonObject } from '@laurel/errors';
import type { ledger } from '@laurel/rpc';
import { withoutHiddenMetadata } from '../../../domain/mobile/hiding';
import type { PointsConfig } from '../schema/action-config';
import type { PointsData } from '../schema/action-data';
import {
  type Execute,
  type ExecuteDeps,
  type Foretell,
  type Foretold,
  loyaltyEvent,
  missing,
  originOf,
  SOURCE,
  speakingOf,
  type Task,
} from './task';

const FIELDS = {
  amount: 'data.points',
  wallet_type_code: 'data.wallet_type_code',
  description: 'data.note',
  client_id: 'pass_id',
};

export const addPoints: Execute = async (deps, task) => {
  const request = await pointsRequest(deps, task);
  const { entry } = await speakingOf(FIELDS, deps.ledger.EarnPoints(request));
  return shown(task, entry!);
};

export const removePoints: Execute = async (deps, task) => {
  const request = await pointsRequest(deps, task);
  const { entry } = await speakingOf(FIELDS, deps.ledger.SpendPoints(request));
  return shown(task, entry!);
};

export const foretellAdding: Foretell = async (deps, task) => {
  const request = await pointsRequest(deps, task);
  return told(task, 'points_earned', await speakingOf(FIELDS, deps.ledger.QuoteEarn(request)));
};

export const foretellRemoving: Foretell = async (deps, task) => {
  const request = await pointsRequest(deps, task);
  return told(task, 'points_spent', await speakingOf(FIELDS, deps.ledger.QuoteSpend(request)));
};

function told(
  task: Task,
  event_type: 'points_earned' | 'points_spent',
  { amount, wallet_type_code, pending, balance_after }: ledger.PointsQuote,
): Foretold {
  const { action_type: type, name: summary, id } = task.action;
  const metadata = {
    wallet_type_code,
    points_delta: amount,
    balance_after,
    source_type: SOURCE,
    source_id: id,
  };
  const event = loyaltyEvent(task, { event_type, amount: Math.abs(amount), metadata });
  return {
    effects: [{ type, summary, wallet_type_code, points: amount }],
    told: { event, also: { events: [], moved: [{ wallet_type_code, amount, pending }] } },
  };
}

/** What the ledger is to be asked: points within the bounds of the action, of a wallet type that it offers. */
async function pointsRequest(deps: ExecuteDeps, task: Task) {
  const { workspaceId, clientId, action } = task;
  const { default_note, ...config } = action.action_config as PointsConfig;
  const data = task.data as PointsData;
  const amount = pointsOf(config, data);
  const note = data.note ?? default_note;
  return {
    workspace_id: workspaceId,
    client_id: clientId,
    amount,
    wallet_type_code: await walletTypeOf(deps, workspaceId, { config, data }),
    source_type: SOURCE,
    source_id: action.id,
    metadata: originOf(task),
    ...(note ? { description: note } : {}),
  };
}

function pointsOf({ default_points, max_points }: PointsConfig, { points }: PointsData): number {
  const amount = points ?? default_points;
  if (amount === undefined) throw missing('data.points');
  if (amount <= 0) throw invalidField('data.points', 'data.points must be above 0');
  if (max_points !== undefined && amount > max_points)
    throw invalidField('data.points', `data.points must be at most ${max_points}`);
  return amount;
}

/** The wallet type that was named, which must be one of the action's, or the only one there is. */
async function walletTypeOf(
  { ledger: peer }: ExecuteDeps,
  workspaceId: string,
  { config, data }: { config: PointsConfig; data: PointsData },
): Promise<string> {
  const { wallet_type_codes: own = [] } = config;
  const { wallet_type_code: named } = data;
  const field = 'data.wallet_type_code';
  const isOffered = (code: string) => own.length === 0 || own.includes(code);
  if (named !== undefined) {
    if (isOffered(named)) return named;
    throw invalidField(field, `the action is for ${own.join(', ')}`);
  }
  const request = { workspace_id: workspaceId, active: true };
  const { wallet_types } = await peer.ListWalletTypes(request);
  const [only, ...others] = wallet_types.map(({ code }) => code).filter(isOffered);
  if (only === undefined) throw invalidField(field, 'there is no active wallet type');
  if (others.length > 0) throw missing(field);
  return only;
}

/** An entry as the ledger's own routes show it, as far as staff may see it. */
function shown({ config }: Task, entry: ledger.Entry): Json {
  const { wallet_type_id: _id, wallet_type_code: _code, ...columns } = entry;
  return withoutHiddenMetadata(config.hidden_fields, columns) as unknown as JsonObject;
}
