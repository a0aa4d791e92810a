interface TextChunk {
  text: string;
}

/**
 * The texts of a stream, once its first one is there: until then a refusal can still be answered as
 * one, afterwards the status has gone out.
 */
export async function primed(chunks: AsyncIterable<TextChunk>): Promise<AsyncIterable<string>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value.text;
    } finally {
      await iterator.return?.();
    }
  })();
}
