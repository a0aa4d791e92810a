import type { StreamedEvent } from '@laurel/client';
import { acting, command } from '../command';
import { inOneLine } from '../harmless';
import { note } from '../output';
import { type GlobalOptions, openWorkspace } from '../session';
import type { Terminal } from '../terminal';
import { names } from '../values';

export interface StreamOptions {
  types?: string[];
  cursor?: string;
}

export const tail = (terminal: Terminal) =>
  acting<StreamOptions>(
    command({
      usage: 'tail',
      summary: 'Show what happens in the workspace, while it happens',
      examples: [
        "laurel tail --types 'loyalty.*,tier_promoted'",
        'laurel tail --json | jq .type',
        'laurel tail --cursor WyI…Iiwy',
      ],
      notes:
        'Where the line breaks it goes on behind the last event. Ctrl-C ends it and says with which --cursor it goes on.',
    })
      .option('--types <names>', 'as a webhook asks for them, separated by commas', names)
      .option('--cursor <cursor>', 'where to go on; now unless said otherwise'),
    terminal,
    async (_, { options }) => {
      const { laurel } = await openWorkspace(terminal, options);
      const tell = ({ timestamp, type, data }: StreamedEvent) => {
        const who = 'client_id' in data && data.client_id ? `  ${data.client_id}` : '';
        return `${timestamp.slice(11, 19)}  ${type}${who}`;
      };
      await followEvents({ terminal, events: laurel.events }, options, (event) => {
        terminal.out(`${options.json ? JSON.stringify(event) : inOneLine(tell(event))}\n`);
      });
    },
  );

interface StreamedEvents {
  stream(query: object, options: object): AsyncIterable<StreamedEvent>;
}

/** Hands on each event, until Ctrl-C. */
export async function followEvents(
  { terminal, events }: { terminal: Terminal; events: StreamedEvents },
  { types, cursor, json }: StreamOptions & GlobalOptions,
  take: (event: StreamedEvent) => Promise<void> | void,
): Promise<void> {
  const { interrupted: signal } = terminal;
  const query = {
    ...(types === undefined ? {} : { event_types: types }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  let last = cursor;
  try {
    for await (const event of events.stream(query, { signal })) {
      await take(event);
      last = event.cursor;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (last !== undefined)
    note(terminal, { json }, { data: { cursor: last }, line: `go on with --cursor ${last}` });
}
