import { Joi } from '../../schema/types';

/** Too short or too long a signature is as wrong as any other: it is looked up, not refused. */
export const signature = Joi.string().max(200);
