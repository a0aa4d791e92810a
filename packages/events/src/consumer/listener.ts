import { findDefinition } from '../catalogue';
import type { CloudEvent } from '../envelope';
import type { Once } from './inbox';
import { EVERY_EVENT, type HandlerTable, type Listening } from './types';

export type AnyHandler = (event: CloudEvent, once: Once) => Promise<void>;

/** The handler of a type in a table: its own, that of its pattern, or that of every event. */
export function handlerIn(table: HandlerTable, type: string): AnyHandler | undefined {
  const handlers = table as Readonly<Record<string, AnyHandler | undefined>>;
  const pattern = findDefinition(type)?.type;
  const named = own(handlers, type) ?? (pattern === undefined ? undefined : own(handlers, pattern));
  return named ?? table[EVERY_EVENT];
}

function own<T>(record: Readonly<Record<string, T | undefined>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** What somebody who listens does with one event of a type; undefined for what they do not listen to. */
export function listenerFor({ handlers, batch }: Listening, type: string): AnyHandler | undefined {
  if (handlers) return handlerIn(handlers, type);
  const handle: AnyHandler = (event, once) =>
    batch.handle([event], async (effect) => {
      await once((session) => effect(session, [event]));
    });
  return handlerIn(Object.fromEntries(batch.types.map((each) => [each, handle])), type);
}
