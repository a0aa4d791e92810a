import { backend, checkpointSigningKey, Joi, setting, targetOf } from '@laurel/config';

export const settings = {
  ...backend,
  automationsTarget: targetOf('automations'),
  clientsTarget: targetOf('clients'),
  checkpointSigningKey,
  checkpointIntervalSeconds: setting<number>(
    'CHECKPOINT_INTERVAL_SECONDS',
    Joi.number().integer().min(10).max(86_400).default(3_600),
    'How often a checkpoint is taken of every workspace; counted from midnight UTC.',
  ),
  hourlyCheckpointsDays: setting<number>(
    'RETENTION_HOURLY_CHECKPOINTS_DAYS',
    Joi.number().integer().min(7).max(36_500).default(90),
    'Days that every checkpoint is kept; of older days the last one stays, for ever.',
  ),
  checkpointMarginSeconds: setting<number>(
    'CHECKPOINT_MARGIN_SECONDS',
    Joi.number().integer().min(1).max(3_600).default(60),
    'How long after its time a checkpoint is taken, so that every write until then has ended.',
  ),
} as const;
