import { backend, Joi, setting, targetOf } from '@laurel/config';

export const settings = {
  ...backend,
  clientsTarget: targetOf('clients'),
  passesTarget: targetOf('passes'),
  rewardsTarget: targetOf('rewards'),
  tiersTarget: targetOf('tiers'),
  membersPerSecond: setting<number>(
    'CAMPAIGN_MEMBERS_PER_SECOND',
    Joi.number().integer().min(1).max(10_000).default(5_000),
    'How many audience members an action of a campaign reaches per second, at most.',
  ),
} as const;
