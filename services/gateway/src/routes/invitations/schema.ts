import { email, Joi, nullable, uuid } from '../../schema/types';
import { role } from '../members/schema';

const moment = () => Joi.string().isoDate().required();

export const invite = Joi.object<{ email: string; workspace_id: string; role: string }>({
  email: email().required(),
  workspace_id: uuid().required(),
  role: role().default('member'),
});

export const invited = Joi.object({
  invitation: Joi.object({
    id: uuid().required(),
    email: Joi.string().required(),
    expires_at: moment(),
    workspace_name: Joi.string().required(),
    superseded_previous: Joi.boolean().required(),
  }).required(),
  message: Joi.string().required(),
});

const invitation = Joi.object({
  id: uuid().required(),
  email: Joi.string().required(),
  invitation_token: uuid().required(),
  role: role().required(),
  status: Joi.string().valid('pending', 'expired').required(),
  date_created: moment(),
  expires_at: moment(),
  inviter_name: nullable(Joi.string()).required(),
  workspace_name: Joi.string().required(),
});
export const invitations = Joi.object({
  invitations: Joi.array()
    .items(invitation.append({ invitation_token: nullable(uuid()).required() }))
    .required(),
});
export const resent = Joi.object({
  invitation: invitation.required(),
  message: Joi.string().required(),
});

export const publicInvitation = Joi.object({
  invitation: Joi.object({
    email: Joi.string().required(),
    expires_at: moment(),
    inviter_email: nullable(Joi.string()).required(),
    inviter_name: nullable(Joi.string()).required(),
    user_exists: Joi.boolean().required(),
    workspace_name: Joi.string().required(),
  }).required(),
});

export const accept = Joi.object<{ invitation_token: string }>({
  invitation_token: uuid().required(),
});
export const accepted = Joi.object({
  message: Joi.string().required(),
  workspace: Joi.object({ id: uuid().required(), name: Joi.string().required() }).required(),
});

export const myInvitations = Joi.object({
  invitations: Joi.array()
    .items(
      Joi.object({
        id: uuid().required(),
        invitation_token: uuid().required(),
        workspace_name: Joi.string().required(),
        inviter_name: nullable(Joi.string()).required(),
        date_created: moment(),
        expires_at: moment(),
      }),
    )
    .required(),
});
