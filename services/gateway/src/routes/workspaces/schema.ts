import { Joi, oneLine, uuid } from '../../schema/types';
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
}>({
  name: oneLine(255, 1).required(),
  slug: slug(),
  default_currency: currency(),
  default_locale: locale(),
});

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
