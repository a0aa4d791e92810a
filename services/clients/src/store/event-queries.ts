export interface EventFilter {
  clientId?: string | undefined;
  passId?: string | undefined;
  /** Events of any other pass are left out; those of none stay. */
  withinPassIds?: readonly string[] | undefined;
  category?: string | undefined;
  eventType?: string | undefined;
  source?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Names of the indexes that hold events in the order of lists. */
export const EVENT_ORDERS = {
  newest: 'newest',
  ofClient: 'of_client',
  ofPass: 'of_pass',
  ofCampaign: 'of_campaign',
} as const;

/** Sources that begin with `campaign:`. */
export const OF_CAMPAIGN = { $gte: 'campaign:', $lt: 'campaign;' } as const;

/** What a list of events asks of the rows of its workspace. */
export function toFilter(filter: EventFilter): Record<string, unknown> {
  const { clientId, passId, withinPassIds, category, eventType, source, from, to } = filter;
  return {
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(passId === undefined ? {} : { pass_id: passId }),
    ...(withinPassIds === undefined
      ? {}
      : { $and: [{ pass_id: { $in: [null, ...withinPassIds] } }] }),
    ...(category === undefined ? {} : { event_category: category }),
    ...(eventType === undefined ? {} : { event_type: eventType }),
    ...(source === undefined ? {} : { source: sourceIs(source) }),
    ...(from || to
      ? { event_timestamp: { ...(from ? { $gte: from } : {}), ...(to ? { $lte: to } : {}) } }
      : {}),
  };
}

/** The index that holds a list in its order: the local engine would rather sort all that match. */
export function along({ clientId, passId, source }: EventFilter): { hint?: string } {
  if (clientId !== undefined) return { hint: EVENT_ORDERS.ofClient };
  if (passId !== undefined) return { hint: EVENT_ORDERS.ofPass };
  return {
    hint:
      source !== undefined && isOfCampaign(source) ? EVENT_ORDERS.ofCampaign : EVENT_ORDERS.newest,
  };
}

/** Names what the partial index names, without which a store does not see that the index holds all that is asked for. */
function sourceIs(source: string) {
  return isOfCampaign(source) ? { $eq: source, ...OF_CAMPAIGN } : source;
}

function isOfCampaign(source: string): boolean {
  return source >= OF_CAMPAIGN.$gte && source < OF_CAMPAIGN.$lt;
}
