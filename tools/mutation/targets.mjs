// What npm run mutate breaks, and what the tests of it have of Jest.

/** @param {string} service */
const domainOf = (service) => `services/${service}/src/domain`;

/**
 * What is broken, in folders and files, and the least share of it that the tests must notice, in percent.
 *
 * @type {Record<string, { of: string[], least: number }>}
 */
export const TARGETS = {
  ledger: { of: [domainOf('ledger')], least: 95 },
  tiers: { of: [domainOf('tiers')], least: 90 },
  rewards: { of: [domainOf('rewards')], least: 90 },
  referrals: { of: [domainOf('referrals')], least: 90 },
  automations: { of: [domainOf('automations')], least: 90 },
  campaigns: { of: [domainOf('campaigns')], least: 90 },
  segments: { of: ['services/clients/src/domain/segments'], least: 90 },
  passes: {
    of: ['pass', 'template', 'wallet', 'mobile'].map((noun) => `${domainOf('passes')}/${noun}`),
    least: 90,
  },
  enrolment: { of: [`${domainOf('passes')}/enrollment`], least: 90 },
  guards: {
    of: [
      'token-scope',
      'workspace-guard',
      'wrong-credentials',
      'condition',
      'plain-path',
      'address',
    ].map((guard) => `services/gateway/src/middleware/${guard}.ts`),
    least: 90,
  },
  deliveries: {
    of: [
      'consumer/settle',
      'consumer/verdict',
      'consumer/patience',
      'outbox/store-looks',
      'outbox/waiting',
      'outbox/ahead',
      'slots/slot-of',
    ].map((file) => `packages/events/src/${file}.ts`),
    least: 90,
  },
  calendar: {
    of: ['calendar', 'moment', 'zones'].map((name) => `packages/values/src/${name}.ts`),
    least: 90,
  },
  integrations: {
    of: [
      domainOf('integrations'),
      'services/integrations/src/outside/providers/pos/signature.ts',
      'services/integrations/src/outside/providers/webhook-inbox/mapping.ts',
    ],
    least: 90,
  },
};

/** Beside `test`, `describe`, `expect` and what goes before and after: what else would need Jest itself, half a second for each mutant. */
export const OF_JEST = /** @type {const} */ (['spyOn', 'restoreAllMocks']);
