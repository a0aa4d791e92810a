import { Joi, nullable, queryList, timestamp, uuid } from '../../schema/types';
import { designFields, saved, type TemplateBody } from '../pass-templates/schema';

export interface PreviewQuery {
  client_id?: string;
  platform: 'apple' | 'google';
  format: 'png' | 'json';
}
const shown = {
  client_id: uuid(),
  platform: Joi.string().valid('apple', 'google').default('apple'),
  format: Joi.string().valid('png', 'json').default('png'),
};
export const preview = Joi.object<PreviewQuery>(shown);

/** A card that is not saved; with `pass_template_id` it is that one, changed by what `template` names. */
export const previewDraft = Joi.object<
  PreviewQuery & { template: TemplateBody; pass_template_id?: string }
>({ ...shown, pass_template_id: uuid(), template: Joi.object(designFields).required() });
export const drawnDraft = saved;
export const drawn = Joi.object().unknown(true);

export const readStatus = Joi.object<{ expand?: 'credentials'[] }>({
  expand: queryList(Joi.string().valid('credentials')).description(
    'credentials: whose keys are in use, and until when.',
  ),
});

const readiness = Joi.object({
  ready: Joi.boolean().required(),
  missing: Joi.array().items(Joi.string()).required(),
  credentials: Joi.object({
    own: Joi.boolean()
      .required()
      .description("Whether they are the workspace's; else the deployment's, or local ones."),
    valid_until: nullable(timestamp())
      .required()
      .description('When the certificate ends (Apple); null where there is none.'),
  }).description('With expand=credentials.'),
}).required();
export const walletStatus = Joi.object({ apple: readiness, google: readiness }).meta({
  name: 'WalletStatus',
});
