import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { CLIENT_STATUSES, type ClientStatus } from '@laurel/contract';
import { Option } from 'commander';
import { acting, command } from '../../command';
import { say } from '../../output';
import { startProgress } from '../../progress';
import { openWorkspace } from '../../session';
import type { Terminal } from '../../terminal';

interface Options {
  format: 'csv' | 'ndjson';
  output?: string;
  status?: ClientStatus;
}

export const exportMembers = (terminal: Terminal) =>
  acting<Options>(
    command({
      usage: 'export',
      summary: 'Write all members to a file or to standard output',
      examples: [
        'laurel members export --output members.csv',
        'laurel members export --format ndjson --status active | jq .email',
      ],
    })
      .addOption(
        new Option('--format <format>', 'of the file').choices(['csv', 'ndjson']).default('csv'),
      )
      .option('-o, --output <file>', 'where to; standard output unless said otherwise')
      .addOption(new Option('--status <status>', 'only those').choices(CLIENT_STATUSES)),
    terminal,
    async (_, { options }) => {
      const { format, output, status } = options;
      const { laurel } = await openWorkspace(terminal, options);
      const filter = status === undefined ? {} : { status };
      const { meta } = await laurel.clients.list({ ...filter, limit: 1 });
      const response = await laurel.clients.export({ ...filter, format });
      const progress = startProgress(terminal, 'exporting');
      const decoder = new TextDecoder();
      const file = output === undefined ? undefined : createWriteStream(output);
      let lines = 0;
      for await (const piece of response.body!) {
        const text = decoder.decode(piece, { stream: true });
        lines += text.split('\n').length - 1;
        if (!file) terminal.out(text);
        else if (!file.write(text)) await once(file, 'drain');
        progress.show(lines, meta?.total ?? meta?.total_count);
      }
      progress.end();
      if (!file) return;
      file.end();
      await once(file, 'close');
      const members = Math.max(0, format === 'csv' ? lines - 1 : lines);
      say(terminal, options, {
        data: { file: output, members },
        lines: [`✓ ${members} members in ${output}`],
      });
    },
  );
