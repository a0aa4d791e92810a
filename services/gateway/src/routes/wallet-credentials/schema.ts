import { Joi, jsonObject, text } from '../../schema/types';
import { walletStatus } from '../wallet-previews/schema';

const PEM_MAX = 20_000;
const pem = () => text(PEM_MAX, 1).required();

export const apple = Joi.object<{
  pass_type_identifier: string;
  team_identifier: string;
  certificate: string;
  key: string;
  passphrase?: string;
  wwdr_certificate: string;
}>({
  pass_type_identifier: Joi.string()
    .max(255)
    .pattern(/^pass\.[A-Za-z0-9.-]+$/)
    .required()
    .messages({ 'string.pattern.base': '{{#label}} looks like pass.com.example.loyalty' }),
  team_identifier: Joi.string()
    .pattern(/^[A-Z0-9]{10}$/)
    .required()
    .messages({ 'string.pattern.base': '{{#label}} has 10 capital letters and digits' }),
  certificate: pem(),
  key: pem(),
  passphrase: text(1_000, 1),
  wwdr_certificate: pem(),
});

export const google = Joi.object<{ issuer_id: string; service_account: object }>({
  issuer_id: Joi.string()
    .max(30)
    .pattern(/^\d+$/)
    .required()
    .messages({ 'string.pattern.base': '{{#label}} has digits only' }),
  service_account: jsonObject().required(),
});

export { walletStatus };
