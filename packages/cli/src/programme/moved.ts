import { UsageError } from '../failures';
import { type Env, KEY, MOVED, readFiles, type Source, type Wanted } from './files';
import { KIND_NAMES, KINDS, type KindName } from './kinds';
import { isBody } from './references';

/** A thing that files call otherwise than before: `moved: { rewards: { old: new } }`. */
export interface Move {
  kind: KindName;
  from: string;
  to: string;
}

/** What the files call otherwise. Once it has been applied everywhere, the line may go. */
export function readMoves(source: Source, env: Env, wanted: readonly Wanted[]): Move[] {
  const moves = [...readFiles(source, env)].flatMap(([file, { [MOVED]: said }]) =>
    movesIn(file, said).map((move) => {
      requirePlace(file, move, wanted);
      return move;
    }),
  );
  for (const { kind, to } of moves)
    if (moves.filter((one) => one.kind === kind && one.to === to).length > 1)
      throw new UsageError(`${MOVED}: several ${kind} become ${to}`);
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

function requirePlace(file: string, { kind, from, to }: Move, wanted: readonly Wanted[]): void {
  const where = `${file}: ${MOVED}: ${kind}/${from}`;
  const isNamed = (key: string) => wanted.some((one) => one.kind === kind && one.key === key);
  if (!KEY.test(to)) throw new UsageError(`${where}: a key is of a-z, 0-9 and -`);
  if (!isNamed(to)) throw new UsageError(`${where} becomes ${to}, which stands in no file`);
  if (isNamed(from)) throw new UsageError(`${where} becomes ${to}, but stands in the files itself`);
}

/** The key under which files know what bears one. */
export function keyAfterMoves(
  moves: readonly Move[],
  { kind, key, borne }: { kind: KindName; key: string; borne: ReadonlySet<string> },
): string {
  const move = moves.find((one) => one.kind === kind && one.from === key);
  if (!move) return key;
  if (borne.has(move.to))
    throw new UsageError(
      `${MOVED}: ${kind}/${key} cannot become ${move.to}, which is there as well; take the line out or give one another key`,
    );
  return move.to;
}

/** What is managed, under the keys that files have for it by now. */
export const afterMoves = <T extends { kind: string; key: string }>(
  managed: readonly T[],
  moves: readonly Move[],
): T[] =>
  managed.map((one) => {
    const move = moves.find(({ kind, from }) => kind === one.kind && from === one.key);
    return move ? { ...one, key: move.to } : one;
  });
