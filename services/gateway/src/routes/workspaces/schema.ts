import { SANDBOX_CLOCK_STATUSES } from '@laurel/contract';
import { Joi, nullable, oneLine, timestamp, uuid } from '../../schema/types';
import { currency, locale } from '../settings/schema';

const slug = () =>
  Joi.string()
    .pattern(/^[a-z0-9-]{3,63}$/)
    .messages({
      'string.pattern.base': '{{#label}} must be 3 to 63 lower-case letters, digits or hyphens',
    });
const role = () => Joi.string().valid('admin', 'member');

export const workspace = Joi.object({
  id: uuid().required(),
  name: Joi.string().required(),
  slug: slug().required(),
  date_created: Joi.string().isoDate().required(),
  sandbox: Joi.boolean()
    .valid(true)
    .description(
      'There only for a sandbox, a workspace to try things in: it sends nothing, and is deleted after 24 hours.',
    ),
}).meta({ name: 'Workspace' });
export const workspaceWithZone = workspace
  .append({ timezone: Joi.string().required() })
  .meta({ name: 'WorkspaceWithZone' });
export const workspaces = Joi.array().items(
  workspace.append({ role: role().required() }).meta({ name: 'OwnWorkspace' }),
);

export const createWorkspace = Joi.object<{
  name: string;
  slug?: string;
  default_currency?: string;
  default_locale?: string;
  sandbox?: boolean;
}>({
  name: oneLine(255, 1).required(),
  slug: slug(),
  default_currency: currency(),
  default_locale: locale(),
  sandbox: Joi.boolean().description(
    'Makes it a sandbox, for good: it sends no mails, wallet pushes or webhooks, has a clock of its own, and is deleted 24 hours after it was made.',
  ),
});

export const advanceClock = Joi.object<{ to: string }>({
  to: timestamp()
    .required()
    .description('Later than the time that the clock shows, by at most two years.'),
});

export const clock = Joi.object({
  now: Joi.string().isoDate().required().description('What time it is in the workspace.'),
  status: Joi.string()
    .valid(...SANDBOX_CLOCK_STATUSES)
    .required()
    .description(
      'ready: nothing is left to do until now. failed: the last advance ended before its time; problem says what it waited for.',
    ),
  to: nullable(Joi.string().isoDate())
    .required()
    .description('Where the last advance went, or goes.'),
  problem: nullable(Joi.string()).required(),
  ends_at: nullable(Joi.string().isoDate())
    .required()
    .description('When the sandbox is deleted, by real time; null where the workspace is live.'),
}).meta({ name: 'WorkspaceClock' });

export const cloneWorkspace = Joi.object<{
  name: string;
  members: number;
  anonymised: true;
  sandbox?: boolean;
}>({
  name: oneLine(255, 1).required().description('What the new workspace is called.'),
  members: Joi.number()
    .integer()
    .min(0)
    .max(1_000)
    .default(0)
    .description(
      'How many clients are copied at most, the newest first: with their balances, under names that are made up.',
    ),
  anonymised: Joi.boolean()
    .valid(true)
    .default(true)
    .messages({
      'any.only':
        '{{#label}} must be true: a clone never holds whose members they are; merge or export where you need them',
    })
    .description(
      'Clients are copied without anything that says who they are; there is no other way.',
    ),
  sandbox: Joi.boolean().description(
    'Whether the clone is a sandbox; if it is left out, it is one where its source is.',
  ),
});

export const workspaceClone = Joi.object({
  id: uuid().required().description('That of the new workspace, which opens when it is ready.'),
  name: Joi.string().required(),
  status: Joi.string()
    .valid('copying', 'ready', 'failed', 'deleted')
    .required()
    .description(
      'failed: nothing is left of it; problem says why. deleted: it was ready, and its workspace was deleted since.',
    ),
  problem: nullable(Joi.string()).required(),
  members: Joi.number().integer().required().description('As many as were asked for at most.'),
  members_copied: Joi.number().integer().required(),
  sandbox: Joi.boolean().valid(true),
  date_created: Joi.string().isoDate().required(),
}).meta({ name: 'WorkspaceClone' });

export const updateWorkspace = Joi.object<{ name?: string; slug?: string }>({
  name: oneLine(255, 1),
  slug: slug(),
});

export const deleteWorkspace = Joi.object<{ confirm_slug: string }>({
  confirm_slug: Joi.string().max(63).required(),
});

export const roles = Joi.array().items(
  Joi.object({
    id: uuid().required(),
    name: role().required(),
    permissions: Joi.array().items(Joi.string()).required(),
  }),
);
