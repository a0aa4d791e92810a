import { UsageError } from '../failures';
import { KEY, MOVED, type Wanted } from './files';
import { KIND_NAMES, KINDS, type KindName } from './kinds';
import { isBody } from './references';
import type { Contents } from './texts';

/** A thing that files call otherwise than before: `moved: { rewards: { old: new } }`. */
export interface Move {
  kind: KindName;
  from: string;
  to: string;
}

/** What the files call otherwise. Once it has been applied everywhere, the line may go. */
export function readMoves(files: Contents, wanted: readonly Wanted[]): Move[] {
  const named = new Set(wanted.map(({ kind, key }) => `${kind}/${key}`));
  const moves = [...files].flatMap(([file, { [MOVED]: said }]) =>
    movesIn(file, said).map((move) => {
      requirePlace(file, move, named);
      return move;
    }),
  );
  const taken = new Set<string>();
  for (const { kind, to } of moves) {
    if (taken.has(`${kind}/${to}`)) throw new UsageError(`${MOVED}: several ${kind} become ${to}`);
    taken.add(`${kind}/${to}`);
  }
  return moves;
}

function movesIn(file: string, said: unknown): Move[] {
  const where = `${file}: ${MOVED}`;
  if (said === undefined || said === null) return [];
  if (!isBody(said)) throw new UsageError(`${where} must be a map of kinds`);
  return Object.entries(said).flatMap(([name, keys]) => {
    const kind = KIND_NAMES.find((one) => one === name && KINDS[one].isKeyed);
    const keyed = KIND_NAMES.filter((one) => KINDS[one].isKeyed).join(', ');
    if (!kind) throw new UsageError(`${where} speaks of ${keyed}, not of ${name}`);
    if (!isBody(keys)) throw new UsageError(`${where}: ${name} must be a map of old keys to new`);
    return Object.entries(keys).map(([from, to]) => ({ kind, from, to: String(to) }));
  });
}

function requirePlace(file: string, { kind, from, to }: Move, named: ReadonlySet<string>): void {
  const where = `${file}: ${MOVED}: ${kind}/${from}`;
  const isNamed = (key: string) => named.has(`${kind}/${key}`);
  if (!KEY.test(to)) throw new UsageError(`${where}: a key is of a-z, 0-9 and -`);
  if (!isNamed(to)) throw new UsageError(`${where} becomes ${to}, which stands in no file`);
  if (isNamed(from)) throw new UsageError(`${where} becomes ${to}, but stands in the files itself`);
}

/** The keys under which files know what bears one of `borne`. */
export function keysAfterMoves(
  moves: readonly Move[],
  kind: KindName,
  borne: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const keys = new Map([...borne].map((key) => [key, key]));
  for (const { from, to } of moves.filter((one) => one.kind === kind)) {
    if (!borne.has(from)) continue;
    if (borne.has(to))
      throw new UsageError(
        `${MOVED}: ${kind}/${from} cannot become ${to}, which is there as well; take the line out or give one another key`,
      );
    keys.set(from, to);
  }
  return keys;
}

/** What is managed, under the keys that files have for it by now; `bore` is what the platform still has it under. */
export function afterMoves<T extends { kind: string; key: string }>(
  managed: readonly T[],
  moves: readonly Move[],
): (T & { bore?: string })[] {
  const keys = new Map(moves.map(({ kind, from, to }) => [`${kind}/${from}`, to]));
  return managed.map((one) => {
    const key = keys.get(`${one.kind}/${one.key}`);
    return key === undefined ? one : { ...one, key, bore: one.key };
  });
}
