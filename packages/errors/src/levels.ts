import type { Json, JsonObject } from './refusal';

/** As deep as a body of the API may be. What is much deeper no store takes, and to walk it takes more than the stack. */
const LEVELS_MAX = 20;

/** What is wrong with how deep a value is nested, or null. What is given is no level of what it holds. */
export function complaintAboutLevels(value: JsonObject): string | null {
  return isDeeperThan(value, LEVELS_MAX) ? `is nested deeper than ${LEVELS_MAX} levels` : null;
}

/** Level by level: what is very deep must not be walked by recursion. */
export function isDeeperThan(value: Json, levels: number): boolean {
  let level = nestedIn(value);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap(nestedIn);
  }
  return false;
}

const nestedIn = (value: Json): Json[] =>
  typeof value === 'object' && value !== null ? Object.values(value).filter(isNested) : [];

const isNested = (value: Json): boolean => typeof value === 'object' && value !== null;
