// What is asked once everything has come to rest: the same again, under the same keys, and who is in a segment.
import { someAtOnce } from './at-once.mjs';
import { endingOf } from './load.mjs';

/** @typedef {import('./client.mjs').Client} Client */
/** @typedef {import('./scene.mjs').Scene} Scene */
/** @typedef {import('./checker/world.mjs').Operation} Operation */
/** @typedef {import('./checker/world.mjs').Again} Again */

/** What is done once, whatever became since of what it was done to. */
const KINDS = new Set(
  'earn spend adjust transfer lock capture release cancel refund batch redeem unredeem client merge import buy sell return spin visit'.split(
    ' ',
  ),
);
const ASKED_MAX = 120;

/**
 * Repeats operations of which the answer is known, from all of the run.
 *
 * @param {Client} client
 * @param {{ scene: Scene, history: readonly Operation[] }} of
 * @returns {Promise<Again[]>}
 */
export async function askAgain(client, { scene, history }) {
  // What was refused is remembered by Redis alone: asked again, it is decided anew.
  const known = history.filter(
    ({ kind, outcome, results = [] }) =>
      KINDS.has(kind) && outcome === 'ok' && results.every(({ entry }) => entry),
  );
  const stride = Math.max(1, Math.floor(known.length / ASKED_MAX));
  const some = known.filter((_, position) => position % stride === 0);
  const paths = new Map(scene.workspaces.map(({ id, path }) => [id, path]));
  return someAtOnce(some, async ({ id, kind, workspace, path, body }) => {
    const url = path.startsWith('/service-api') ? path : `${paths.get(workspace)}${path}`;
    const last = await client.insist(url, { method: 'POST', body, key: id });
    const { status, code, entries, results, told } = endingOf(kind, last);
    return { id, status, code, entries, results, told };
  });
}

/**
 * @param {Client} client
 * @param {Scene} scene
 * @returns {Promise<import('./checker/world.mjs').Members[]>}
 */
export function membersOf(client, { workspaces }) {
  return Promise.all(
    workspaces.map(async ({ segment }) => {
      const url = `/service-api/segments/${segment.id}/clients?limit=1000`;
      const { status, body } = await client.insist(url, {});
      if (status !== 200) throw new Error(`${url} answered ${status}: ${JSON.stringify(body)}`);
      const clientIds = body.data.map((/** @type {{ id: string }} */ { id }) => id);
      return { ...segment, clientIds };
    }),
  );
}
