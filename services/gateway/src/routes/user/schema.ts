import { LANGUAGES, TOKEN_SCOPES, type TokenScope } from '@laurel/contract';
import { Joi, nullable, oneLine, timestamp, uuid } from '../../schema/types';
import { givenPassword, newPassword, personName, user } from '../auth/schema';

export { messageOnly } from '../auth/schema';

const language = () => nullable(Joi.string().valid(...LANGUAGES));
const theme = () => nullable(Joi.string().valid('light', 'dark'));
const density = () => nullable(Joi.string().valid('comfortable', 'compact'));

export const userWithPreferences = user
  .append({
    preferences: Joi.object({
      language: language().required(),
      theme: theme().required(),
      density: density().required(),
    }).description(
      'How the person likes the pages; null: as the browser says. Absent from /user/me until one is stated.',
    ),
  })
  .meta({ name: 'UserWithPreferences' });

export const updateUser = Joi.object<{
  first_name?: string | null;
  last_name?: string | null;
  password?: string;
  current_password?: string;
  preferences?: { language?: string | null; theme?: string | null; density?: string | null };
}>({
  first_name: personName(),
  last_name: personName(),
  password: newPassword(),
  current_password: givenPassword(),
  preferences: Joi.object({ language: language(), theme: theme(), density: density() }),
}).and('password', 'current_password');

export const hasToken = Joi.object({ has_token: Joi.boolean().required() });
export const newToken = Joi.object({
  message: Joi.string().required(),
  token: Joi.string().length(64).hex().required(),
});

export const sessions = Joi.array().items(
  Joi.object({
    id: uuid().required(),
    device: nullable(Joi.string())
      .required()
      .description('What the browser or program that signed in calls itself, where it said so.'),
    kind: Joi.string()
      .valid('page', 'program')
      .required()
      .description('Whether a page of the platform keeps it in a cookie, or a program by itself.'),
    date_created: Joi.string().isoDate().required(),
    last_active_at: Joi.string()
      .isoDate()
      .required()
      .description(
        'When it was opened or last refreshed, which happens at least every 15 minutes.',
      ),
    expires_at: Joi.string().isoDate().required(),
    current: Joi.boolean().required().description('Whether this call came with it.'),
  }).meta({ name: 'UserSession' }),
);

const scope = () => Joi.string().valid(...TOKEN_SCOPES);

export const createApiToken = Joi.object<{
  name: string;
  scope: TokenScope;
  workspace_id?: string | null;
  expires_at?: string | null;
}>({
  name: oneLine(100, 1).required().description('What it is for, in your words.'),
  scope: scope().required(),
  workspace_id: nullable(uuid()).description(
    'The one workspace that it opens; null: all that you are a member of, those to come, too.',
  ),
  expires_at: nullable(timestamp()).description('When it ends; null: when you revoke it.'),
});

const apiToken = Joi.object({
  id: uuid().required(),
  name: Joi.string().required(),
  scope: scope().required(),
  workspace_id: nullable(uuid()).required(),
  date_created: timestamp().required(),
  last_used_at: nullable(timestamp()).required().description('To the minute; null: never.'),
  expires_at: nullable(timestamp()).required(),
}).meta({ name: 'ApiToken' });

export const apiTokens = Joi.array().items(apiToken);
export const newApiToken = apiToken
  .append({
    token: Joi.string()
      .pattern(/^laurel_[0-9a-f]{64}$/)
      .required()
      .description('The token itself. It is not shown again.'),
  })
  .meta({ name: 'NewApiToken' });
