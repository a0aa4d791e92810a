// A workspace with a template that has pictures, made through the API, and its members.
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../../../deploy/local/lib/paths.mjs';
import { PASS_TYPE } from '../../lib/apple.mjs';
import { prepareScene } from '../subjects.mjs';
import { writeMembers } from './members.mjs';

const sharp = createRequire(path.join(ROOT, 'services/passes/package.json'))('sharp');

/**
 * @typedef {{ token: string, workspace: string, workspaceId: string, templateId: string, members: import('./members.mjs').Member[] }} Cards
 */

/**
 * @param {import('../subjects.mjs').Http} http
 * @param {{ baseUrl: string, uri: string, members: number, credentials: Record<string, string> }} how
 * @returns {Promise<Cards>}
 */
export async function prepareCards(http, { baseUrl, uri, members, credentials }) {
  const { token, workspace } = await prepareScene(http, 25);
  const workspaceId = /** @type {string} */ (workspace.split('/').at(-1));
  await http.request('PUT', `${workspace}/passes/wallet-credentials/apple`, {
    token,
    body: credentials,
  });
  const post = async (/** @type {string} */ to, /** @type {object} */ body) =>
    (await http.request('POST', `${workspace}${to}`, { token, body })).data;
  const upload = async (/** @type {Buffer} */ png) => {
    const form = new FormData();
    form.append('workspace_id', workspaceId);
    form.append('file', new Blob([png], { type: 'image/png' }), 'picture.png');
    const headers = { authorization: `Bearer ${token}` };
    const reply = await fetch(`${baseUrl}/service-api/files`, {
      method: 'POST',
      headers,
      body: form,
    });
    if (reply.status !== 201) throw new Error(`upload: ${reply.status} ${await reply.text()}`);
    return /** @type {any} */ (await reply.json()).data.id;
  };
  const project = await post('/projects', { name: 'Cards' });
  const template = await post('/pass-templates', {
    project_id: project.id,
    name: 'Card',
    ...{ icon: await upload(await logo(256, 256)), logo: await upload(await logo(480, 150)) },
    cover_image: await upload(await photo()),
    ...{ background_color: '#123456', barcode_type: 'qr', barcode_label: '${pass.barcode}' },
    ...{ top_field_label: 'Points', top_field_value: '${wallet.points}' },
    front_fields: [{ id: 'name', label: 'Member', value: '${client.first_name}' }],
    secondary_fields: [{ id: 'since', label: 'Status', value: 'Friend' }],
    back_fields: [{ id: 'terms', label: 'Terms', value: 'Points never expire. '.repeat(20) }],
  });
  const plan = { workspaceId, projectId: project.id, templateId: template.id };
  const written = await writeMembers(uri, { ...plan, count: members, passType: PASS_TYPE });
  return { token, workspace, workspaceId, templateId: template.id, members: written };
}

/** @param {number} width @param {number} height @returns {Promise<Buffer>} */
const logo = (width, height) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><circle cx="${width / 2}" cy="${height / 2}" r="${height / 3}" fill="#e0b040"/></svg>`,
    ),
  )
    .png()
    .toBuffer();

/** As large and as hard to compress as a photograph. @returns {Promise<Buffer>} */
const photo = () =>
  sharp({
    create: {
      ...{ width: 1_200, height: 600, channels: 3, background: '#204060' },
      noise: { type: 'gaussian', mean: 120, sigma: 8 },
    },
  })
    .blur(3)
    .png()
    .toBuffer();
