import type { Json, JsonObject } from '@laurel/errors';

/** As which field a column of a file is read; null leaves it out. */
export interface ColumnField {
  column: string;
  field: string | null;
}

/** Columns that it does not name are read under their own names. */
export type Mapping = readonly ColumnField[];

/** The field that a column is read as; null where it is left out. */
export function fieldOf(mapping: Mapping, column: string): string | null {
  const named = mapping.find((each) => each.column === column);
  return named ? named.field : column;
}

/** The values of a row under the names of fields. */
export function mapped(values: JsonObject, mapping: Mapping): JsonObject {
  if (mapping.length === 0) return values;
  return Object.fromEntries(
    Object.entries(values).flatMap(([column, value]): [string, Json][] => {
      const field = fieldOf(mapping, column);
      return field === null ? [] : [[field, value]];
    }),
  );
}
