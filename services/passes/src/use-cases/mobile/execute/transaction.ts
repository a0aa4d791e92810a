import { invalidField, type Json, type JsonObject } from '@laurel/errors';
import { currentContext, stableId } from '@laurel/lifecycle';
import { withoutHiddenValues } from '../../../domain/mobile/hiding';
import type { TransactionConfig } from '../schema/action-config';
import type { TransactionData } from '../schema/action-data';
import {
  type Execute,
  type ExecuteDeps,
  type Foretell,
  missing,
  originOf,
  SOURCE,
  type Task,
} from './task';

/**
 * Records a purchase, or a refund where the action's transaction_type says so, in the trail of the clients service:
 * from there it moves metrics, tiers, referrals and automations like any other.
 */
export const addTransaction: Execute = async (deps, task) => {
  const { workspaceId, clientId, passId } = task;
  const id = stableId(`mobile transaction ${currentContext().operationId}`);
  const entry = {
    id,
    client_id: clientId,
    pass_id: passId,
    event_category: 'transaction',
    source: SOURCE,
    ...(await saleOf(deps, task)),
  };
  await deps.clients.RecordTrail({ workspace_id: workspaceId, entries: [entry] });
  const event = await deps.clients.GetEvent({ workspace_id: workspaceId, id });
  return withoutHiddenValues(task.config.hidden_fields, event) as unknown as JsonObject;
};

/** It moves points by rules alone, and by what a refund takes back. */
export const foretellSale: Foretell = async (deps, task) => ({
  effects: [],
  told: { event: { trigger_type: 'transaction', ...(await saleOf(deps, task)) } },
});

/** What is known of a purchase or refund, whether it is recorded or only asked about. */
async function saleOf(deps: ExecuteDeps, task: Task) {
  const { transaction_type: type, ...config } = task.action.action_config as TransactionConfig;
  const data = task.data as TransactionData;
  const amount = data.amount ?? config.default_amount;
  if (amount === undefined) throw missing('data.amount');
  const description = data.description?.trim();
  if (config.require_description && !description)
    throw invalidField('data.description', 'data.description is required');
  return {
    event_type: type === 'refund' ? 'refund' : 'purchase',
    amount,
    currency: await currencyOf(deps, task.workspaceId, data),
    metadata: metadataOf(task, { ...data, description: description || undefined }, type),
    ...timestampOf(task, data),
  };
}

/** When it happened: what staff entered comes before what the till noted. */
function timestampOf(
  { occurredAt }: Task,
  { transaction_timestamp: entered }: TransactionData,
): { event_timestamp?: string } {
  const moment = entered ?? occurredAt?.toISOString();
  return moment === undefined ? {} : { event_timestamp: moment };
}

/** That of the purchase, or else the workspace's own. */
async function currencyOf(
  { identity }: ExecuteDeps,
  workspaceId: string,
  { currency }: TransactionData,
): Promise<string> {
  if (currency !== undefined) return currency.toUpperCase();
  return (await identity.GetSettings({ workspace_id: workspaceId })).default_currency;
}

/** What is known of a purchase beyond its amount and time. */
function metadataOf(
  task: Task,
  data: Omit<TransactionData, 'description'> & { description: string | undefined },
  transactionType: string | undefined,
): Json {
  const { description, location, subtotal_amount, discount_amount, line_items, payment_info } =
    data;
  const details = {
    description,
    location,
    subtotal_amount,
    discount_amount,
    line_items,
    payment_info,
  };
  const known = { ...details, transaction_type: transactionType };
  const sent = Object.entries(known).filter(([, value]) => value !== undefined);
  return { ...data.metadata, ...(Object.fromEntries(sent) as JsonObject), ...originOf(task) };
}
