import type { Json, JsonObject } from '@laurel/errors';

/** So much text is one piece; a row that is longer is one by itself. */
const PIECE_CHARS = 64 * 1024;

/**
 * What a service holds on a person as the text of one JSON object, in pieces. Its last member is a list that is read as
 * it is written: it may be longer than a message, or than memory.
 */
export async function* personText(
  data: JsonObject,
  list: string,
  rows: AsyncIterable<Json>,
): AsyncIterable<{ text: string }> {
  const members = [...Object.entries(data), [list, []] as const].map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  let text = `{${members.join(',').slice(0, -1)}`;
  let separator = '';
  for await (const row of rows) {
    text += separator + JSON.stringify(row);
    separator = ',';
    if (text.length < PIECE_CHARS) continue;
    yield { text };
    text = '';
  }
  yield { text: `${text}]}` };
}
