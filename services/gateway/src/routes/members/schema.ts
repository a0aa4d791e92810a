import { Joi, nullable, uuid } from '../../schema/types';

export const role = () => Joi.string().valid('admin', 'member');

export const members = Joi.object({
  members: Joi.array()
    .items(
      Joi.object({
        id: uuid().required(),
        email: Joi.string().required(),
        first_name: nullable(Joi.string()).required(),
        last_name: nullable(Joi.string()).required(),
        role: role().required(),
        status: Joi.string().valid('active', 'suspended').required(),
        joined_at: Joi.string().isoDate().required(),
        last_active: nullable(Joi.string().isoDate()).required(),
      }),
    )
    .required(),
});

export const addMember = Joi.object<{ user_id: string; role: string }>({
  user_id: uuid().required(),
  role: role().default('member'),
});

export const addedMember = Joi.object({
  message: Joi.string().required(),
  member: Joi.object({ user_id: uuid().required(), role: role().required() }).required(),
  already_member: Joi.boolean().required(),
});

export const changeRole = Joi.object<{ role: string }>({ role: role().required() });
export const changedRole = Joi.object({
  message: Joi.string().required(),
  role: role().required(),
});
export const memberRole = Joi.object({
  role: role().required(),
  role_id: nullable(uuid()).required(),
  is_creator: Joi.boolean().required(),
});
