// The platform's own proof that what was generated is what it would have written.

const SAMPLE = 40;

/**
 * @param {import('../subjects.mjs').Http} http
 * @param {import('./scene.mjs').Place} place
 * @param {import('./samples.mjs').Samples} samples
 * @returns {Promise<{ wallets: number, entries: number }>}
 */
export async function verifySample(http, { id, token }, samples) {
  const sampled = Array.from({ length: SAMPLE }, (_, sequence) => samples.client(sequence));
  let [wallets, entries] = [0, 0];
  for (const client_id of [...sampled, ...samples.deepClients.slice(0, 1)]) {
    const path = `/service-api/workspace/${id}/loyalty/points/verify`;
    const { data } = await http.request('POST', path, { token, body: { client_id } });
    if (!data.valid || data.entries_checked === 0)
      throw new Error(`verify finds in client ${client_id}: ${JSON.stringify(data.problems)}`);
    wallets += data.wallets_checked;
    entries += data.entries_checked;
  }
  return { wallets, entries };
}
