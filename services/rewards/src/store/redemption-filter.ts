export interface RedemptionFilter {
  rewardId?: string | undefined;
  clientId?: string | undefined;
  status?: string | undefined;
  excludeCancelled?: boolean | undefined;
  source?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** As the store is asked for it. */
export function toFilter(filter: RedemptionFilter): Record<string, unknown> {
  const { rewardId, clientId, status, excludeCancelled, source, from, to } = filter;
  return {
    ...(rewardId === undefined ? {} : { reward_id: rewardId }),
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(source === undefined ? {} : { source }),
    ...(status === undefined ? {} : { status }),
    ...(status === undefined && excludeCancelled ? { status: { $ne: 'cancelled' } } : {}),
    ...(from || to
      ? { redemption_date: { ...(from ? { $gte: from } : {}), ...(to ? { $lte: to } : {}) } }
      : {}),
  };
}
