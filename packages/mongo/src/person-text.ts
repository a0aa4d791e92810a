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
  const members = Object.entries(data).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`,
  );
  // With the first rows, so that what cannot be read fails before anything was given.
  let before = `{${members.join('')}${JSON.stringify(list)}:`;
  for await (const { text } of listText(rows)) {
    yield { text: before + text };
    before = '';
  }
  yield { text: '}' };
}

/** A list as the text of JSON, in pieces, read as it is written. */
export async function* listText(rows: AsyncIterable<Json>): AsyncIterable<{ text: string }> {
  let text = '[';
  let separator = '';
  for await (const row of rows) {
    text += separator + JSON.stringify(row);
    separator = ',';
    if (text.length < PIECE_CHARS) continue;
    yield { text };
    text = '';
  }
  yield { text: `${text}]` };
}

/** What `personText` gives, in one message, which a long list does not fit into: for replicas of the release before. */
export async function wholePerson(
  pieces: AsyncIterable<{ text: string }>,
): Promise<{ data: Json }> {
  let text = '';
  for await (const piece of pieces) text += piece.text;
  return { data: JSON.parse(text) as Json };
}
