import Joi from 'joi';
import { secret } from './setting';

/** The README says what the three are, and how long the second lasts. */
const THREE_ROLLOUTS = 'In three roll-outs (README, "Rotate keys")';

/** What signs session tokens, and opens portal links; for services that make or check them, and for no other. */
export const sessionKeys = {
  jwtSecret: secret<string>('JWT_SECRET', Joi.string().min(32).required(), {
    meaning:
      'Key that signs and checks session tokens, and seals portal links; at least 32 characters, the same wherever it is held.',
    rotation: `${THREE_ROLLOUTS}. The former key may go after 15 minutes; sessions of portals and the portal links on passes end with it.`,
  }),
  jwtSecretPrevious: secret<string | undefined>('JWT_SECRET_PREVIOUS', Joi.string().min(32), {
    meaning:
      'Another key whose tokens and portal links are still accepted, while JWT_SECRET is replaced.',
    rotation: 'Set for as long as JWT_SECRET is being replaced.',
  }),
} as const;

const SECRETS_KEY_BYTES = 32;

const secretsKey = (): Joi.StringSchema =>
  Joi.string().custom((value: string, helpers) =>
    Buffer.from(value, 'base64').length === SECRETS_KEY_BYTES
      ? value
      : helpers.message({ custom: '{{#label}} must be 32 bytes in base64' }),
  );

/** The keys of `@laurel/secrets`; for services that seal what they store, and for no other. */
export const vaultKeys = {
  secretsKey: secret<string>('SECRETS_KEY', secretsKey().required(), {
    meaning: 'Key of 32 bytes in base64 that secrets are encrypted with at rest.',
    rotation: `${THREE_ROLLOUTS}. What it sealed is sealed anew at the start and within the hour; the log says when the former key may go.`,
  }),
  secretsKeyPrevious: secret<string | undefined>('SECRETS_KEY_PREVIOUS', secretsKey(), {
    meaning:
      'Another key whose values stay readable. They are encrypted anew with SECRETS_KEY at the start and within the hour; the log says when it may go.',
    rotation: 'Set for as long as SECRETS_KEY is being replaced.',
  }),
} as const;

/** Signs what is handed out for passes, where an operator wants to choose it (docs/adr/0011). */
export const passLinkSecret = secret<string | undefined>('PASS_LINK_SECRET', Joi.string().min(32), {
  meaning:
    'Signs the links and tokens of passes from now on, for whoever wants to choose it. Not needed for a rotation of SECRETS_KEY.',
  rotation: 'Set another one, or none: what it signed stays valid.',
});

/** Signs the checkpoints of the ledger. */
export const checkpointSigningKey = secret<string | undefined>(
  'CHECKPOINT_SIGNING_KEY',
  Joi.string().base64(),
  {
    meaning:
      'Ed25519 private key (PKCS 8 PEM, base64) that signs ledger checkpoints; unset makes one and keeps it in the database.',
    rotation:
      'Set another one: a checkpoint carries the public key that it is checked with, so earlier ones stay valid.',
  },
);
