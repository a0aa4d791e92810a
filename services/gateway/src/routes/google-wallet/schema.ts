import { Joi } from '../../schema/types';

const TEXT_MAX = 10_000;
const text = () => Joi.string().max(TEXT_MAX).required();

export const callback = Joi.object<{
  signature: string;
  protocolVersion: string;
  signedMessage: string;
  intermediateSigningKey: { signedKey: string; signatures: string[] };
}>({
  signature: text(),
  protocolVersion: text(),
  signedMessage: text(),
  intermediateSigningKey: Joi.object({
    signedKey: text(),
    signatures: Joi.array().items(text()).max(10).required(),
  })
    .unknown(true)
    .required(),
}).unknown(true);
