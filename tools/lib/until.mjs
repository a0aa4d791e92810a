// Waiting for what comes about by itself.

const WAIT_MS = 30_000;

/**
 * @template T
 * @param {() => Promise<T | undefined | null | false>} look
 * @param {string} what
 * @param {number} [withinMs]
 * @returns {Promise<T>}
 */
export async function until(look, what, withinMs = WAIT_MS) {
  const endsAt = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > endsAt) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
