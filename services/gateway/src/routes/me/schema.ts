import { Joi, nullable } from '../../schema/types';
import { userWithPreferences } from '../user/schema';
import { workspace } from '../workspaces/schema';

const isThere = (what: string) =>
  nullable(Joi.boolean())
    .required()
    .description(`Whether there is ${what}; null while the service that knows does not answer.`);

export const me = Joi.object({
  user: userWithPreferences.required(),
  role: Joi.string().valid('admin', 'member').required(),
  permissions: Joi.array()
    .items(Joi.string())
    .required()
    .description('What the caller may do here. Pages go by these, never by the name of the role.'),
  workspace: workspace.required(),
  settings: Joi.object({
    locale: Joi.string().required(),
    currency: Joi.string().length(3).required(),
    timezone: Joi.string().required(),
  }).required(),
  setup: Joi.object({
    currency: isThere('a wallet type that is active'),
    rule: isThere('an automation'),
    reward: isThere('a reward'),
    card: isThere('a pass template'),
    form: isThere('a distribution'),
    portal: isThere('a portal that is switched on'),
    till: isThere('a staff app that is switched on'),
  })
    .required()
    .description('What a new workspace sets up, in the order in which it does.'),
  wallets_ready: nullable(
    Joi.object({ apple: Joi.boolean().required(), google: Joi.boolean().required() }),
  )
    .required()
    .description('Whether phones accept the passes of the workspace.'),
}).meta({ name: 'Me' });
