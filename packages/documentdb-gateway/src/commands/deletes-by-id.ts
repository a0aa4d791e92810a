import { BsonType, type Element, elements, readEmbedded, splitSequence } from '../wire/bson-scan';
import type { Command } from '../wire/command';

/** What an `_id` cannot be, and only an expression over it is. */
const EXPRESSION_TYPES: readonly number[] = [BsonType.document, BsonType.array, 0x0b];

/**
 * Turns "delete one" by `_id` into "delete all", which is the same: an `_id` is there once. The engine takes a row that
 * somebody changes at that moment for gone when it is to delete one, and waits for the change when it is to delete all.
 * The bytes of the command are changed in place.
 */
export function widenDeletesById({ spec, sequences }: Pick<Command, 'spec' | 'sequences'>): void {
  for (const one of deletesOf(spec, sequences)) {
    const { limit, q } = Object.fromEntries(
      [...elements(one)].map((element) => [element.name, element]),
    ) as Record<string, Element | undefined>;
    const filter = q && readEmbedded(one, q);
    if (limit?.type !== BsonType.int32 || !filter || !namesOneId(filter)) continue;
    one.writeInt32LE(0, limit.value);
  }
}

function deletesOf(spec: Buffer, sequences: Command['sequences']): Buffer[] {
  const sequence = sequences.get('deletes');
  if (sequence) return [...splitSequence(sequence)];
  const field = [...elements(spec)].find(({ name }) => name === 'deletes');
  const list = field && readEmbedded(spec, field);
  return list ? [...elements(list)].flatMap((element) => readEmbedded(list, element) ?? []) : [];
}

function namesOneId(filter: Buffer): boolean {
  return [...elements(filter)].some(
    ({ name, type }) => name === '_id' && !EXPRESSION_TYPES.includes(type),
  );
}
