// What every maker needs.
import { randomUUID } from 'node:crypto';

/** @typedef {import('../world.mjs').World} World */

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const unique = (/** @type {string} */ name) => `${name}_${randomUUID().slice(0, 8)}`;
export const email = () => `probe-${randomUUID()}@example.com`;

/** @param {string} path @param {unknown} body @returns {(world: World) => Promise<any>} */
export const posted = (path, body) => async (world) =>
  (await world.ask('POST', path, body)).data.id;

/**
 * @param {readonly { name: string, filename: string, type: string, content: Buffer }[]} files
 * @param {Record<string, string>} fields
 */
export function multipart(files, fields = {}) {
  const boundary = `probe${randomUUID()}`;
  const parts = [
    ...Object.entries(fields).map(([name, value]) =>
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      ),
    ),
    ...files.flatMap(({ name, filename, type, content }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`,
      ),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ];
  return {
    body: Buffer.concat(parts),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** @param {World} world @param {string} path @param {string} name @param {Buffer} content @param {string} type */
export async function upload(world, path, name, content, type) {
  const { body, contentType } = multipart([{ name: 'file', filename: name, type, content }], {
    workspace_id: world.id,
  });
  const headers = { Authorization: `Bearer ${await world.admin()}`, 'Content-Type': contentType };
  return (
    await world.client.must('POST', path.replace(/^:ws/, `/service-api/workspace/${world.id}`), {
      body,
      headers,
    })
  ).data;
}

export const picture = { name: 'file', filename: 'a.png', type: 'image/png', content: PNG };
