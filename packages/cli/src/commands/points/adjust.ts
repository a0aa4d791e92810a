import { UsageError } from '../../failures';
import type { Terminal } from '../../terminal';
import { booking } from './booking';

export const adjust = (terminal: Terminal) =>
  booking(
    terminal,
    {
      usage: 'adjust',
      summary: 'Correct a balance, upwards or downwards',
      examples: [
        'laurel points adjust anna@example.com 20 --why "Forgotten at the till"',
        'laurel points adjust anna@example.com --why "Booked twice" -- -20',
      ],
      notes: 'Points that are to be taken away stand behind two dashes.',
    },
    (laurel, { description, ...body }, idempotencyKey) => {
      if (description === undefined) throw new UsageError('say why, with --why');
      return laurel.points.adjust({ ...body, description }, { idempotencyKey });
    },
  );
