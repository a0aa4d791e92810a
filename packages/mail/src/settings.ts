import { type Config, Joi, publicUrl, setting } from '@laurel/config';

/** Settings of every service that writes to people. */
export const mailSettings = {
  smtpUrl: setting<string | undefined>(
    'SMTP_URL',
    Joi.string().uri({ scheme: ['smtp', 'smtps'] }),
    'SMTP server that mails go through; unset writes them to MAIL_OUTBOX_DIR as .eml files.',
    { secret: true },
  ),
  smsWebhookUrl: setting<string | undefined>(
    'SMS_WEBHOOK_URL',
    Joi.string().uri({ scheme: ['http', 'https'] }),
    'Takes text messages as POST { id, to, text }; unset writes them to MAIL_OUTBOX_DIR.',
    { secret: true },
  ),
  mailOutboxDir: setting<string>(
    'MAIL_OUTBOX_DIR',
    Joi.string().default('.local/outbox'),
    'Folder for mails and texts while no server is set for them.',
  ),
  mailFrom: setting<string>(
    'MAIL_FROM',
    Joi.string().default('Laurel <no-reply@localhost>'),
    'Sender of every mail.',
  ),
  publicUrl,
} as const;

export type MailConfig = Config<typeof mailSettings>;
