// Whether the ledgers prove sound, by the platform's own word and by that of the program which auditors have.
import { services } from '../lib/built.mjs';

const { verifyExport } = services('packages/ledger-verifier/dist/index.js');

/**
 * What the platform says of its ledgers, and what the stand-alone verifier does of their exports.
 *
 * @param {import('./client.mjs').Client} client
 * @param {import('./scene.mjs').Scene} scene
 */
export function verify(client, { workspaces }) {
  return Promise.all(
    workspaces.map(async ({ path }) => {
      const asked = await verdict(client, `${path}/loyalty/points/verify`, 'POST');
      const { valid, entries_checked, problems } = asked.data;
      const exported = await verdict(client, `${path}/loyalty/points/ledger/export`, 'GET');
      const lines = String(exported).split('\n').filter(Boolean);
      const { entries, findings } = await verifyExport(lines, { checkpoint: null });
      const alone = findings.map(({ problem }) => problem);
      const isWhole = entries === entries_checked;
      if (!isWhole) alone.push(`${entries} entries are exported of ${entries_checked}`);
      return { valid, entries: entries_checked, problems: problems.length + alone.length, alone };
    }),
  );
}

/** @param {import('./client.mjs').Client} client @param {string} url @param {'GET' | 'POST'} method */
async function verdict(client, url, method) {
  const request = method === 'GET' ? { method } : { method, body: {} };
  const { status, body } = await client.insist(url, request);
  if (status !== 200) throw new Error(`${url} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
