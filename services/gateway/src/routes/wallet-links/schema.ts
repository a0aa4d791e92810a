import { Joi } from '../../schema/types';

/** Too short or too long a signature is as wrong as any other: it is looked up, not refused. */
export const signature = Joi.string().max(200);

/** Another one for each look of a picture: caches and Google fetch an address once. The picture is the present one by any. */
export const look = Joi.object({ v: Joi.string().max(64) });
