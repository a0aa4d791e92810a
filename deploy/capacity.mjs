// What was measured of each service, for those who say how much of it is needed (docs/scaling.md).

/**
 * Processor milliseconds of a request of the mix: 70 % reads of one client, 20 % earns and spends, 5 % lists, 5 % new
 * clients, with what follows from them. From docs/measurements.md at 32 in flight, on Node.js 24. Those that have no
 * figure of their own share `others`.
 */
export const CPU_MS = { gateway: 0.85, clients: 0.53, ledger: 0.21, identity: 0.12, others: 0.75 };

/**
 * Resident memory in MiB, at most, under `npm run bench -- --costs` (640 operations of each kind of the mix, 32 in flight, a process per
 * service, Node.js 24, 2026-11-27). What the processes of one machine share of the runtime's binary is counted in each.
 */
export const MEMORY_MIB = {
  gateway: 394,
  passes: 330,
  clients: 321,
  integrations: 307,
  ledger: 299,
  automations: 277,
  tiers: 273,
  identity: 271,
  campaigns: 214,
  referrals: 214,
  rewards: 211,
};
