import { Joi, setting } from '@laurel/config';

export const mobileSettings = {
  receiptWaitingMax: setting<number>(
    'RECEIPT_WAITING_MAX',
    Joi.number().integer().min(0).default(4),
    'How many photographed receipts may wait for the one that is being read; more are answered 503.',
  ),
  receiptMsMax: setting<number>(
    'RECEIPT_MS_MAX',
    Joi.number().integer().min(1_000).default(30_000),
    'How long reading one receipt may take, in milliseconds.',
  ),
  receiptIdleMs: setting<number>(
    'RECEIPT_IDLE_MS',
    Joi.number().integer().min(1_000).default(120_000),
    'After how long without receipts the memory for reading them is given back, in milliseconds.',
  ),
} as const;
