import { type Config, Joi, publicUrl, secret, setting } from '@laurel/config';

const NEW_ADDRESS = 'Set another one; what cannot be sent meanwhile is tried again.';

/** Settings of every service that writes to people. */
export const mailSettings = {
  smtpUrl: secret<string | undefined>('SMTP_URL', Joi.string().uri({ scheme: ['smtp', 'smtps'] }), {
    meaning:
      'SMTP server that mails go through; unset writes them to MAIL_OUTBOX_DIR as .eml files.',
    rotation: NEW_ADDRESS,
  }),
  smsWebhookUrl: secret<string | undefined>(
    'SMS_WEBHOOK_URL',
    Joi.string().uri({ scheme: ['http', 'https'] }),
    {
      meaning:
        'Takes text messages as POST { id, to, text }; unset writes them to MAIL_OUTBOX_DIR.',
      rotation: NEW_ADDRESS,
    },
  ),
  mailOutboxDir: setting<string>(
    'MAIL_OUTBOX_DIR',
    Joi.string().default('.local/outbox'),
    'Folder for mails and texts while no server is set for them.',
  ),
  mailFrom: setting<string | undefined>(
    'MAIL_FROM',
    Joi.string(),
    'Sender of every mail; unset is no-reply at the host of PUBLIC_URL.',
  ),
  publicUrl,
} as const;

export type MailConfig = Config<typeof mailSettings>;
