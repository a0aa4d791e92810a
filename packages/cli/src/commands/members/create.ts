import type { ClientsCreateBody } from '@laurel/client';
import { acting, command } from '../../command';
import { UsageError } from '../../failures';
import { nameOf } from '../../members';
import { say } from '../../output';
import { openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';
import { pair } from '../../values';

interface Options {
  email?: string;
  phone?: string;
  firstName?: string;
  lastName?: string;
  birthDate?: string;
  consent?: boolean;
  outside?: boolean;
  field?: Record<string, unknown>;
  key?: string;
}

export const create = (terminal: Terminal) =>
  acting<Options>(
    command({
      usage: 'create',
      summary: 'Add a member',
      examples: [
        'laurel members create --email anna@example.com --first-name Anna --consent',
        'laurel members create --phone +48501234567 --field favourite_drink=Espresso',
      ],
    })
      .option('--email <address>', 'e-mail address')
      .option('--phone <number>', 'phone number, with its country code')
      .option('--first-name <name>', 'first name')
      .option('--last-name <name>', 'last name')
      .option('--birth-date <date>', 'as 1990-05-17')
      .option('--consent', 'they agreed to hear from you')
      .option('--outside', 'not part of the loyalty programme')
      .option('--field <name=value>', 'a field of the data model; may be repeated', pair)
      .option('--key <key>', 'Idempotency-Key: the same one takes nobody in twice'),
    terminal,
    async (_, { options }) => {
      const { laurel } = await openWorkspace(terminal, options);
      const body = Object.fromEntries(
        Object.entries({
          email: options.email,
          phone: options.phone,
          first_name: options.firstName,
          last_name: options.lastName,
          birth_date: options.birthDate,
          marketing_consent: options.consent,
          custom_fields: options.field,
        }).filter(([, value]) => value !== undefined),
      ) as ClientsCreateBody;
      if (Object.keys(body).length === 0)
        throw new UsageError('give an address, a phone number or a name');
      const member = await laurel.clients.create(
        { ...body, loyalty_program_enabled: !options.outside },
        options.key === undefined ? {} : { idempotencyKey: options.key },
      );
      say(terminal, options, { data: member, lines: [`✓ ${nameOf(member)}  ${member.id}`] });
    },
  );
