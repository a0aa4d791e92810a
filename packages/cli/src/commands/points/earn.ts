import type { Terminal } from '../../terminal';
import { booking } from './booking';

export const earn = (terminal: Terminal) =>
  booking(
    terminal,
    {
      usage: 'earn',
      summary: 'Give a member points',
      examples: [
        'laurel points earn anna@example.com 50 --why "Late train"',
        'laurel points earn +48501234567 12.5 --external-id order-7',
      ],
    },
    (laurel, body, idempotencyKey) => laurel.points.earn(body, { idempotencyKey }),
  );
