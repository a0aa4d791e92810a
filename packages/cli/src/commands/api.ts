import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type CallOptions,
  ConnectionError,
  Http,
  type Operation,
  operations,
} from '@laurel/client';
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

/** What is called, and how it is named to the user. */
interface Called {
  operation: Operation;
  given: readonly string[];
  label: string;
  /** False of a path that no operation of this version has. */
  isKnown: boolean;
}

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
      const called = METHODS.has(name!.toUpperCase())
        ? byPath(name!.toUpperCase(), ids)
        : byName(name!, ids);
      const { operation, given, label } = called;
      const [method, place, flags] = operation;
      // What is shown once may be in the answer.
      if (method !== 'GET') terminal.mustBeHeard();
      const open = place.includes('{workspaceId}') ? openWorkspace : openSession;
      const { options: settings } = await open(terminal, options);
      const body = flags.includes('r') ? uploadOf(name!, options) : await bodyOf(terminal, options);
      if (body !== undefined && !/[ir]/.test(flags)) throw new UsageError(`${label} takes no body`);
      if (options.query !== undefined && !flags.includes('q'))
        throw new UsageError(`${label} takes no query`);
      const key = keyOf(called, options);
      const response = await new Http(settings).call(label, operation, [
        ...given,
        ...(/[ir]/.test(flags) ? [body] : []),
        ...(flags.includes('q') ? [options.query] : []),
        optionsOf(called, key),
      ]);
      await writeOut(terminal, response, (why) => {
        const words = `${label}: the answer broke off: ${why}`;
        return new ConnectionError(words, flags.includes('k') ? key : undefined);
      });
    },
  );

/** One that is not said is made here, so that it can be said where the answer breaks off. */
function keyOf({ operation: [, , flags], label, isKnown }: Called, { key }: Options) {
  if (flags.includes('k')) return key ?? `laurel-${randomUUID()}`;
  // It would be sent and not heeded: a repeat that looks harmless would do it again.
  if (key !== undefined && isKnown) throw new UsageError(`${label} takes no Idempotency-Key`);
  return key;
}

/** Of what is not known here nothing says that a second call does no harm, a key neither: it may not be heeded. */
function optionsOf(
  { operation: [method, , flags], isKnown }: Called,
  key: string | undefined,
): CallOptions {
  if (key !== undefined && flags.includes('k')) return { idempotencyKey: key };
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  return { headers, ...(isKnown || method !== 'PATCH' ? {} : { retries: 0 }) };
}

async function writeOut(
  terminal: Terminal,
  { body, headers }: Response,
  brokenOff: (why: string) => Error,
): Promise<void> {
  if (!body) return;
  try {
    for await (const piece of body) terminal.out(piece);
  } catch (error) {
    throw brokenOff((error as Error).message);
  }
  if (/json/.test(headers.get('content-type') ?? '')) terminal.out('\n');
}

function byName(name: string, ids: readonly string[]): Called {
  const [group = '', verb = ''] = name.split('.');
  const operation = operations[group]?.[verb];
  if (!operation) throw new UsageError(`there is no operation ${name}${nearest(name)}`);
  const named = [...operation[1].matchAll(/\{(?!workspaceId)(\w+)\}/g)].map((match) => match[1]);
  if (ids.length !== named.length)
    throw new UsageError(`${name} takes ${named.length === 0 ? 'no ids' : named.join(', ')}`);
  return { operation, given: ids, label: name, isKnown: true };
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

function byPath(method: string, [place, ...more]: readonly string[]): Called {
  if (place === undefined || more.length > 0)
    throw new UsageError(`a path follows ${method}, such as ':ws/clients'`);
  const whole = place.startsWith(':ws') ? WORKSPACE + place.slice(3) : place;
  if (!whole.startsWith('/')) throw new UsageError("a path begins with '/' or ':ws'");
  const known = operationAt(method, whole);
  // What is got may be an export, which takes as long as it takes once it has begun.
  const flags = `${method === 'GET' ? 's' : 'i'}q${known ? known[2].replace(/[^kdb]/g, '') : ''}`;
  const operation: Operation = [method, whole, flags];
  return { operation, given: [], label: `${method} ${place}`, isKnown: known !== undefined };
}

/** The operation that a path is of: whether a call may be repeated is known of it alone. */
function operationAt(method: string, place: string): Operation | undefined {
  const [address = ''] = place.split('?');
  const fitting = Object.values(operations)
    .flatMap((verbs) => Object.values(verbs))
    .filter(([verb, template]) => verb === method && isAt(template, address));
  // Of `/rewards/redemptions` and `/rewards/{id}` the platform takes the one that is said in full.
  return fitting.sort(([, one], [, other]) => gapsIn(one) - gapsIn(other))[0];
}

const GAP = /^\{\w+\}$/;
const gapsIn = (template: string): number => template.split('/').filter(isGap).length;
const isGap = (segment: string): boolean => GAP.test(segment);

function isAt(template: string, address: string): boolean {
  const [wanted, given] = [template.split('/'), address.split('/')];
  const fits = (segment: string, index: number) =>
    isGap(segment) ? given[index] !== '' : segment === given[index];
  return wanted.length === given.length && wanted.every(fits);
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
