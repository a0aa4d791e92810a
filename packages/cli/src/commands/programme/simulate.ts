import type { AutomationsSimulateBody } from '@laurel/client';
import { acting, command } from '../../command';
import { UsageError } from '../../failures';
import { MEMBER_NAMED, memberOf, nameOf } from '../../members';
import { say } from '../../output';
import { isBody } from '../../programme/references';
import { type Simulated, simulatePlan, wordsOfSimulated } from '../../programme/simulate';
import { readTexts } from '../../programme/texts';
import { openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';
import { amount } from '../../values';
import { planOf } from './planned';

interface Options {
  purchase?: number;
  custom?: string;
  event?: string;
  at?: string;
  all?: boolean;
}

export const simulate = (terminal: Terminal) =>
  acting<Options>(
    command({
      usage: 'simulate <folder>',
      summary: 'Say what the rules of the files would do for a member, before they are applied',
      examples: [
        'laurel programme simulate programme anna@example.com --purchase 12.50',
        'laurel programme simulate programme anna --purchase 12.50 --at 2026-12-24T18:00:00Z --all',
        `laurel programme simulate programme anna --event '{"trigger_type":"loyalty","event_type":"tier_promoted"}'`,
      ],
      notes:
        'Nothing is changed and nothing happens. Rules that differ from the saved ones are judged as the files have them, those that the files no longer name are left out, and all else of the workspace is as it is: balances, tiers, prices. A rule that refers to what only apply will make is named and not judged.',
    })
      .argument('<member>', MEMBER_NAMED)
      .option('--purchase <amount>', 'a purchase of this sum', amount)
      .option('--custom <type>', 'a custom event of this type')
      .option('--event <json>', 'any event, as the API takes it')
      .option('--at <moment>', 'judge by this moment, past or to come')
      .option('--all', 'the rules that would not fire, too, each with its reason'),
    terminal,
    async (_, { args: [folder, who], options }) => {
      const event = eventOf(options);
      const place = await openWorkspace(terminal, options);
      const planned = await planOf(place, terminal.env, readTexts(folder!));
      const member = await memberOf(place.laurel, who!);
      const simulated = await simulatePlan(place.laurel, planned, {
        client_id: member.id,
        event,
        ...(options.at === undefined ? {} : { now: options.at }),
      });
      const lines = wordsOfSimulated(simulated, options.all === true);
      say(terminal, options, {
        data: JSON.parse(planned.hide(JSON.stringify(asData(simulated)))),
        lines: [`${nameOf(member)}:`, ...lines].map(planned.hide),
      });
    },
  );

function eventOf({ purchase, custom, event }: Options): AutomationsSimulateBody['event'] {
  const said = [purchase, custom, event].filter((one) => one !== undefined);
  if (said.length !== 1) throw new UsageError('say one of --purchase, --custom and --event');
  if (purchase !== undefined)
    return { trigger_type: 'transaction', event_type: 'purchase', amount: purchase };
  if (custom !== undefined) return { trigger_type: 'custom_event', event_type: custom };
  try {
    const read: unknown = JSON.parse(event!);
    if (isBody(read)) return read as never;
  } catch {
    // Said below, as everything else that is no object.
  }
  throw new UsageError('--event must be a JSON object');
}

/** The answer of the API, and the key of each rule that it names. */
function asData({ answer, keyOf, leftOut }: Simulated): object {
  const named = <Rule extends { rule_id: string }>(rules: Rule[]) =>
    rules.map((rule) => ({ key: keyOf(rule), ...rule }));
  const { matched, skipped, following, not_foretold } = answer;
  return {
    ...answer,
    matched: named(matched),
    skipped: named(skipped),
    following: named(following),
    not_foretold: named(not_foretold),
    left_out: leftOut.map(({ key, refersTo }) => ({ key, refers_to: refersTo })),
  };
}
