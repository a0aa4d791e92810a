// A workspace with one of everything in it, made through the public API as its owner makes it.
import { makerOf } from './makers/index.mjs';

/** Less than a credential may ask in a minute. */
const CALLS_PER_SESSION = 400;

/**
 * @typedef {import('../lib/public-client.mjs').Client} Client
 * @typedef {import('../lib/public-client.mjs').Person} Person
 */

/**
 * A credential that is renewed before its limit is reached.
 *
 * @param {() => Promise<string>} renew
 */
export function createCredential(renew) {
  /** @type {Promise<string> | undefined} */
  let current;
  let uses = 0;
  return () => {
    if (!current || uses >= CALLS_PER_SESSION) {
      current = renew();
      uses = 0;
    }
    uses += 1;
    return current;
  };
}

/**
 * @param {Client} client
 * @param {{ owner: Person, admin: () => Promise<string> }} [known] whose workspace it shall be
 */
export async function createWorld(client, known) {
  const owner = known?.owner ?? (await client.register());
  const admin =
    known?.admin ?? createCredential(async () => (await client.signIn(owner)).access_token);
  const bearer = async () => ({ Authorization: `Bearer ${await admin()}` });
  const { data: workspace } = await client.must('POST', '/service-api/workspaces', {
    headers: await bearer(),
    body: { name: 'Probe' },
  });

  /** As the admin; `:ws` in a path is the workspace. @param {string} method @param {string} path @param {unknown} [body] */
  const ask = async (method, path, body) =>
    client.must(method, path.replace(/^:ws/, `/service-api/workspace/${workspace.id}`), {
      headers: await bearer(),
      ...(body === undefined ? {} : { body }),
    });

  /** @type {Map<string, Promise<any>>} */
  const rows = new Map();

  const world = {
    id: /** @type {string} */ (workspace.id),
    slug: /** @type {string} */ (workspace.slug),
    owner,
    admin,
    client,
    ask,
    /** A row of the workspace, the same each time. @param {string} noun @returns {Promise<any>} */
    get(noun) {
      const known = rows.get(noun) ?? world.fresh(noun);
      rows.set(noun, known);
      return known;
    },
    /** A row that no other operation uses. @param {string} noun @returns {Promise<any>} */
    async fresh(noun) {
      const maker = makerOf(noun);
      if (!maker) throw new Error(`nobody knows how to make a ${noun}`);
      try {
        return await maker(world);
      } catch (error) {
        throw new Error(`making a ${noun}: ${/** @type {Error} */ (error).message}`);
      }
    },
    /** Lets the next `get` make another one. @param {string} noun */
    forget: (noun) => rows.delete(noun),
  };
  return world;
}

/** @typedef {Awaited<ReturnType<typeof createWorld>>} World */
