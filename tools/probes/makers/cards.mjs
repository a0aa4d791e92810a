// What a workspace has of projects, cards and clients.
import { randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { email, PNG, unique, upload } from './inputs.mjs';

/** @typedef {import('../world.mjs').World} World */

/** @param {World} world */
async function project(world) {
  return (await world.ask('POST', ':ws/projects', { name: unique('Project') })).data.id;
}

/** @param {World} world */
async function template(world) {
  const body = { name: unique('Card'), project_id: await world.get('project') };
  return (await world.ask('POST', ':ws/pass-templates', body)).data.id;
}

/** @param {World} world */
async function client(world) {
  const body = { email: email(), first_name: 'Ada', loyalty_program_enabled: true };
  return (await world.ask('POST', ':ws/clients', body)).data.id;
}

/** A pass on a template of its own, because a client has one per template. @param {World} world */
async function wholePass(world) {
  const body = {
    project_id: await world.get('project'),
    pass_template_id: await template(world),
    client_id: await world.get('client'),
  };
  return (await world.ask('POST', ':ws/passes', body)).data;
}

/** The parts of a pass's links. @param {World} world */
async function link(world) {
  const { id, apple_pass_url } = await world.get('whole_pass');
  return { passId: id, signature: new URL(apple_pass_url).pathname.split('/')[3] };
}

/** A form with the token that its widget has. @param {World} world */
async function form(world) {
  const body = {
    project_id: await world.get('project'),
    pass_template_id: await world.get('template'),
    name: 'Counter',
    page_enabled: true,
  };
  const { id } = (await world.ask('POST', ':ws/distributions', body)).data;
  const { token } = (await world.ask('POST', `:ws/distributions/${id}/api-token/rotate`)).data;
  return { id, token };
}

/** What an iPhone holds of a pass, as it stands in pass.json. @param {World} world */
async function applePass(world) {
  const { passId, signature } = await world.get('link');
  const bundle = await world.client.raw('GET', `/p/${passId}/${signature}/apple`);
  const held = JSON.parse(unzipped(bundle, 'pass.json').toString());
  return {
    device: unique('device'),
    passType: held.passTypeIdentifier,
    serialNumber: held.serialNumber,
    token: held.authenticationToken,
  };
}

/** One file of an archive. @param {Buffer} archive @param {string} wanted */
function unzipped(archive, wanted) {
  const [CENTRAL, NAME] = [0x02014b50, 46];
  for (let at = archive.indexOf('PK\x01\x02'); at >= 0 && archive.readUInt32LE(at) === CENTRAL; ) {
    const nameLength = archive.readUInt16LE(at + 28);
    if (archive.toString('utf8', at + NAME, at + NAME + nameLength) === wanted)
      return entryAt(archive, at);
    at += NAME + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  throw new Error(`the archive has no ${wanted}`);
}

/** @param {Buffer} archive @param {number} at of the entry in the central directory */
function entryAt(archive, at) {
  const size = archive.readUInt32LE(at + 20);
  const local = archive.readUInt32LE(at + 42);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const content = archive.subarray(start, start + size);
  return archive.readUInt16LE(at + 10) === 0 ? content : inflateRawSync(content);
}

/** @type {Record<string, import('./index.mjs').Maker>} */
export const CARDS = {
  project,
  template,
  client,
  email: async () => email(),
  whole_pass: wholePass,
  pass: async (world) => (await wholePass(world)).id,
  barcode: async (world) => (await world.get('whole_pass')).barcode_value,
  link,
  apple_pass: applePass,
  form,
  distribution: async (world) => (await form(world)).id,
  event: async (world) => {
    const body = {
      pass_id: await world.get('pass'),
      event_category: 'transaction',
      event_type: 'purchase',
      amount: 12.5,
      currency: 'EUR',
    };
    return (await world.ask('POST', '/service-api/events', body)).data.id;
  },
  file: async (world) => (await upload(world, '/service-api/files', 'a.png', PNG, 'image/png')).id,
  data_field: async (world) => {
    const body = { field_name: unique('f'), field_type: 'text' };
    const { id } = (await world.ask('POST', ':ws/data-model', body)).data;
    return id;
  },
  client_import: async (world) => {
    const rows = Buffer.from(`email,first_name\n${email()},Cy\n`);
    return (await upload(world, ':ws/clients/import', 'a.csv', rows, 'text/csv')).id;
  },
  identity: async (world) => {
    const id = await client(world);
    const path = `:ws/clients/${id}/external-identities/till`;
    await world.ask('PUT', path, { external_id: randomUUID() });
    return { id, provider: 'till' };
  },
};
