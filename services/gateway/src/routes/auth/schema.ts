import { email, emptyOrSaid, Joi, nullable, oneLine, text, uuid } from '../../schema/types';

const PASSWORD_LENGTH_MAX = 1_024;

/** A password that is being set; whether it is a good one, identity says. */
export const newPassword = () => text(PASSWORD_LENGTH_MAX, 10);
/** A password that is being compared. */
export const givenPassword = () => text(PASSWORD_LENGTH_MAX, 1);
export const personName = () => nullable(emptyOrSaid(oneLine(255)));

export const user = Joi.object({
  id: uuid().required(),
  email: Joi.string().required(),
  first_name: nullable(Joi.string()).required(),
  last_name: nullable(Joi.string()).required(),
  date_created: Joi.string().isoDate().required(),
  email_verified: Joi.boolean().required(),
}).meta({ name: 'User' });

export const register = Joi.object<{
  email: string;
  password: string;
  first_name?: string | null;
  last_name?: string | null;
  invitation_token?: string;
}>({
  email: email().required(),
  password: newPassword().required(),
  first_name: personName(),
  last_name: personName(),
  invitation_token: uuid().description('mailed to the same address; verifies it'),
});

export const verifyEmail = Joi.object<{ token: string }>({ token: text(500, 1).required() });

export const login = Joi.object<{ email: string; password: string }>({
  email: text(255, 1).required(),
  password: givenPassword().required(),
});

export const tokens = Joi.object({
  access_token: Joi.string().required(),
  refresh_token: Joi.string().required(),
  expires: Joi.number().integer().required().description('milliseconds'),
}).meta({ name: 'SessionTokens' });

export const refresh = Joi.object<{ refresh_token: string }>({
  refresh_token: text(500, 1).required(),
});

export const requestReset = Joi.object<{ email: string }>({ email: email().required() });

export const resetPassword = Joi.object<{ token: string; password: string }>({
  token: text(500, 1).required(),
  password: newPassword().required(),
});

export const signOn = Joi.object<{ provider: string; token: string; nonce?: string }>({
  provider: Joi.string().valid('google').required(),
  token: text(10_000, 1).required(),
  nonce: text(500, 1).description('what the page gave the provider, where it gave any'),
});

export const signedOn = Joi.object({
  access_token: Joi.string().required(),
  refresh_token: Joi.string().required(),
  user: Joi.object({
    id: uuid().required(),
    email: Joi.string().required(),
    first_name: nullable(Joi.string()).required(),
    last_name: nullable(Joi.string()).required(),
    email_verified: Joi.boolean().required(),
  }).required(),
});

export const messageOnly = Joi.object({ message: Joi.string().required() }).meta({
  name: 'Message',
});
