import { createHmac, randomBytes } from 'node:crypto';
import type { StreamedEvent } from '@laurel/client';
import { acting, command } from '../command';
import { UsageError } from '../failures';
import { note } from '../output';
import { openWorkspace, requireUrl } from '../session';
import type { Terminal } from '../terminal';
import { names } from '../values';
import { followEvents, type StreamOptions } from './tail';

const SECRET_BYTES = 32;
const PATIENCE_MS = 15_000;

interface Options extends StreamOptions {
  forward: string;
  secret?: string;
}

export const listen = (terminal: Terminal) =>
  acting<Options>(
    command({
      usage: 'listen',
      summary: 'Bring webhooks to this machine, signed as in production',
      examples: [
        'laurel listen --forward http://localhost:3000/hooks',
        "laurel listen --forward http://localhost:3000/hooks --types 'client.created' --secret whsec_…",
      ],
      notes:
        'Each event is posted once, one after the other, with the headers and the bytes that a webhook of the platform would have. LAUREL_WEBHOOK_SECRET is taken where --secret is not given; without either a new one is made and said first.',
    })
      .requiredOption('--forward <url>', 'where to')
      .option('--secret <secret>', 'what it is signed with: whsec_ and base64')
      .option('--types <names>', 'as a webhook asks for them, separated by commas', names)
      .option('--cursor <cursor>', 'where to go on; now unless said otherwise'),
    terminal,
    async (_, { options }) => {
      const { forward } = options;
      requireUrl(forward);
      const secret = options.secret ?? terminal.env.LAUREL_WEBHOOK_SECRET ?? newSecret();
      const key = keyOf(secret);
      const { laurel } = await openWorkspace(terminal, options);
      const line = `to ${forward}, signed with ${secret}`;
      note(terminal, options, { data: { forward, secret }, line });
      await followEvents({ terminal, events: laurel.events }, options, async (event) => {
        const outcome = await post(forward, key, event);
        const { id, type, timestamp } = event;
        if (options.json) terminal.out(`${JSON.stringify({ id, type, timestamp, ...outcome })}\n`);
        else {
          const { status, error, ms } = outcome;
          const isTaken = status !== undefined && status < 300;
          const said = `${isTaken ? '✓' : '✗'} ${status ?? error}, ${ms} ms`;
          terminal.out(`${timestamp.slice(11, 19)}  ${type.padEnd(28)} ${said}\n`);
        }
      });
    },
  );

const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

function keyOf(secret: string): Buffer {
  const base64 = /^whsec_([A-Za-z0-9+/]{16,}={0,2})$/.exec(secret)?.[1];
  if (base64 === undefined)
    throw new UsageError('a secret is whsec_ and base64, as a webhook has it');
  return Buffer.from(base64, 'base64');
}

interface Outcome {
  ms: number;
  status?: number;
  /** Why there was no answer. */
  error?: string;
}

/** As Standard Webhooks says, and the platform's own sender does. */
async function post(
  url: string,
  key: Buffer,
  { id, type, timestamp, workspace_id, data }: StreamedEvent,
): Promise<Outcome> {
  const body = JSON.stringify({ type, timestamp, data, workspace_id });
  const now = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', key).update(`${id}.${now}.${body}`).digest('base64');
  const startedAt = Date.now();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(now),
        'webhook-signature': `v1,${signature}`,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await response.arrayBuffer();
    return { status: response.status, ms: Date.now() - startedAt };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    return { error: cause?.code ?? message, ms: Date.now() - startedAt };
  }
}
