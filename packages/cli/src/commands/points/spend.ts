import type { Terminal } from '../../terminal';
import { booking } from './booking';

export const spend = (terminal: Terminal) =>
  booking(
    terminal,
    {
      usage: 'spend',
      summary: 'Take points that a member spends, oldest first',
      examples: [
        'laurel points spend anna@example.com 50 --why "Free coffee"',
        'laurel points spend anna@example.com 10 --wallet stamps --json',
      ],
    },
    (laurel, body, idempotencyKey) => laurel.points.spend(body, { idempotencyKey }),
  );
