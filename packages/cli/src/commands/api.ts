import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Http, type Operation, operations } from '@laurel/client';
import { acting, command } from '../command';
import { UsageError } from '../failures';
import { openSession, openWorkspace } from '../session';
import type { Terminal } from '../terminal';
import { textOf } from '../text';
import { pair } from '../values';

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const WORKSPACE = '/service-api/workspace/{workspaceId}';
/** Of those that only share a word; the operations of a group are few enough to show all. */
const NEAREST_MAX = 12;

interface Options {
  query?: Record<string, unknown>;
  field?: Record<string, unknown>;
  data?: string;
  key?: string;
}

export const api = (terminal: Terminal) =>
  acting<Options>(
    command({
      usage: 'api <operation> [ids...]',
      summary: 'Call any operation of the API',
      examples: [
        'laurel api clients.list --query limit=1',
        'laurel api clients.update 01a20534-259e-70a1-ba00-e41d5fa7ab89 --field status=inactive',
        "laurel api GET ':ws/clients?limit=1'",
        'laurel api points.batch --data @operations.json',
        'laurel api files.upload --data @logo.png --field workspace_id=01a20534-259e-70a1-ba00-e41d5fa7ab89',
        'laurel api distributions.getQr 01a20534-259e-70a1-ba00-e41d5fa7ab89 --query format=png > poster.png',
      ],
      notes:
        'An operation is named as in /openapi.json, its ids in the order of its path; or it is a method and a path, in which :ws stands for the workspace. The answer is written as it came.',
    })
      .option('--query <name=value>', 'a parameter of the query; may be repeated', pair)
      .option('--field <name=value>', 'a member of the body; may be repeated', pair)
      .option(
        '--data <json>',
        'the body: JSON, @file, or - for standard input; of an upload the @file',
      )
      .option('--key <key>', 'Idempotency-Key'),
    terminal,
    async (_, { args: [name, ...ids], options }) => {
      const { operation, given } = METHODS.has(name!.toUpperCase())
        ? byPath(name!.toUpperCase(), ids)
        : byName(name!, ids);
      const [method, place, flags] = operation;
      const open = place.includes('{workspaceId}') ? openWorkspace : openSession;
      const { options: settings } = await open(terminal, options);
      const body = flags.includes('r') ? uploadOf(name!, options) : await bodyOf(terminal, options);
      if (body !== undefined && !/[ir]/.test(flags)) throw new UsageError(`${name} takes no body`);
      if (options.query !== undefined && !flags.includes('q'))
        throw new UsageError(`${name} takes no query`);
      const response = await new Http(settings).call(`${method} ${name}`, operation, [
        ...given,
        ...(/[ir]/.test(flags) ? [body] : []),
        ...(flags.includes('q') ? [options.query] : []),
        options.key === undefined ? {} : { idempotencyKey: options.key },
      ]);
      if (!response.body) return;
      for await (const piece of response.body) terminal.out(piece);
      if (/json/.test(response.headers.get('content-type') ?? '')) terminal.out('\n');
    },
  );

function byName(name: string, ids: readonly string[]) {
  const [group = '', verb = ''] = name.split('.');
  const operation = operations[group]?.[verb];
  if (!operation) throw new UsageError(`there is no operation ${name}${nearest(name)}`);
  const named = [...operation[1].matchAll(/\{(?!workspaceId)(\w+)\}/g)].map((match) => match[1]);
  if (ids.length !== named.length)
    throw new UsageError(`${name} takes ${named.length === 0 ? 'no ids' : named.join(', ')}`);
  return { operation, given: ids };
}

/** The operations of a name's group, or else those that have one of its words. */
function nearest(name: string): string {
  const [group = '', verb = ''] = name.split('.');
  const all = Object.entries(operations).flatMap(([noun, verbs]) =>
    Object.keys(verbs).map((one) => `${noun}.${one}`),
  );
  const near = operations[group]
    ? all.filter((one) => one.startsWith(`${group}.`))
    : all.filter((one) => one.includes(verb || group)).slice(0, NEAREST_MAX);
  const shown = near.join(', ');
  return shown === '' ? '; /openapi.json lists them' : `; is it one of ${shown}?`;
}

function byPath(method: string, [place, ...more]: readonly string[]) {
  if (place === undefined || more.length > 0)
    throw new UsageError(`a path follows ${method}, such as ':ws/clients'`);
  const whole = place.startsWith(':ws') ? WORKSPACE + place.slice(3) : place;
  if (!whole.startsWith('/')) throw new UsageError("a path begins with '/' or ':ws'");
  // What is got may be an export, which takes as long as it takes once it has begun.
  const flags = `${method === 'GET' ? 's' : 'i'}${method === 'POST' ? 'k' : ''}q`;
  const operation: Operation = [method, whole, flags];
  return { operation, given: [] };
}

async function bodyOf(terminal: Terminal, { data, field }: Options): Promise<unknown> {
  if (data !== undefined && field !== undefined)
    throw new UsageError('give the body by --data or by --field, not by both');
  if (data === undefined) return field;
  const text =
    data === '-'
      ? textOf(await terminal.readInput(), 'standard input')
      : data.startsWith('@')
        ? textOf(read(data.slice(1)), data.slice(1))
        : data;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`the body is not JSON: ${(error as Error).message}`);
  }
}

/** A file and what is said of it, as a form. */
function uploadOf(name: string, { data = '', field = {} }: Options): FormData {
  if (!data.startsWith('@')) throw new UsageError(`${name} takes a file: --data @file`);
  const form = new FormData();
  for (const [key, value] of Object.entries(field)) form.set(key, String(value));
  const file = data.slice(1);
  form.set('file', new Blob([read(file)]), path.basename(file));
  return form;
}

function read(file: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
