// What was measured of each service, for those who say how much of it is needed (docs/scaling.md).

/**
 * Processor milliseconds of a request of the mix: 70 % reads of one client, 20 % earns and spends, 5 % lists, 5 % new
 * clients, with what follows from them. From docs/measurements.md at 32 in flight, on Node.js 24. Those that have no
 * figure of their own share `others`.
 */
export const CPU_MS = { gateway: 0.85, clients: 0.53, ledger: 0.21, identity: 0.12, others: 0.75 };

/** Resident memory in MiB at the end of an end-to-end run, a process per service. Campaigns was taken for automations' like. */
export const MEMORY_MIB = {
  gateway: 240,
  passes: 217,
  identity: 179,
  ledger: 170,
  integrations: 169,
  clients: 164,
  automations: 157,
  campaigns: 157,
  tiers: 153,
  referrals: 141,
  rewards: 130,
};
