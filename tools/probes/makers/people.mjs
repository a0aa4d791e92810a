// What a workspace has of people: staff, customers, members.
import { randomUUID } from 'node:crypto';
import { createWorld } from '../world.mjs';
import { email, unique } from './inputs.mjs';

/** @typedef {import('../world.mjs').World} World */

/** @param {World} world */
async function mobileUser(world) {
  const { data } = await world.ask('POST', ':ws/mobile-app-users', { email: email() });
  return data;
}

/** Somebody whose phone is about to be paired. @param {World} world */
async function pairing(world) {
  await world.get('app');
  const { id, email } = await mobileUser(world);
  const path = `:ws/mobile-app-users/${id}/send-pairing-code`;
  return { id, email, code: (await world.ask('POST', path, { delivery_method: 'none' })).code };
}

/** A paired phone of the staff app. @param {World} world */
async function device(world) {
  const { id, email: identifier, code } = await pairing(world);
  const { data } = await world.client.must('POST', '/service-api/mobile-app/auth/pair', {
    body: { identifier, code },
  });
  const { data: sessions } = await world.ask('GET', `:ws/mobile-app-users/${id}/sessions`);
  return {
    userId: id,
    sessionId: sessions[0].id,
    token: data.access_token,
    refreshToken: data.refresh_token,
  };
}

/** Files that own nothing yet. @param {World} world */
async function programme(world) {
  const name = `files-${randomUUID()}`;
  await world.ask('PUT', `:ws/programmes/${name}`, { managed: [] });
  return name;
}

/** @param {World} world */
async function referral(world) {
  const { id, token } = await world.get('form');
  await world.ask('PUT', ':ws/referral-program', {
    enabled: true,
    completion_criteria: 'first_transaction',
    distribution_id: id,
  });
  const referrer = await world.get('client');
  const { data } = await world.ask('GET', `:ws/clients/${referrer}/referral`);
  const body = { email: email(), first_name: 'Bo', referral_code: data.code };
  await world.client.must('POST', `/service-api/embed/distribution/${token}/submit`, { body });
  const address = encodeURIComponent(body.email);
  const { data: found } = await world.ask('GET', `:ws/clients?email=${address}`);
  const of = `referee_client_id=${found[0].id}`;
  return (await world.ask('GET', `:ws/referrals?${of}`)).data[0].id;
}

/** @param {World} world @param {string} [clientId] */
async function portalToken(world, clientId) {
  await world.get('portal');
  const client_id = clientId ?? (await world.get('client'));
  const body = { workspace_slug: world.slug, client_id };
  return (await world.client.must('POST', '/service-api/public/loyalty/session', { body })).data
    .token;
}

/** @param {World} world @param {string} to */
async function invitationTo(world, to) {
  const reply = await world.ask('GET', ':ws/invitations');
  const found = (reply.data ?? reply.invitations ?? reply).find(
    (/** @type {{ email: string }} */ each) => each.email === to,
  );
  return found;
}

/** @param {World} world */
async function invitation(world) {
  const to = email();
  const body = { email: to, workspace_id: world.id };
  await world.ask('POST', '/service-api/invite', body);
  return (await invitationTo(world, to)).id;
}

/** @param {World} world */
async function member(world) {
  const person = await world.client.register();
  await world.ask('POST', ':ws/members', { user_id: person.id, role: 'member' });
  return person;
}

/** @type {Record<string, import('./index.mjs').Maker>} */
export const PEOPLE = {
  app: async (world) => {
    const body = { is_enabled: true };
    return (await world.ask('POST', ':ws/mobile-app-config', body)).data.actions[0].id;
  },
  app_action: async (world) => {
    await world.get('app');
    const body = { name: unique('Action'), action_type: 'add_points' };
    return (await world.ask('POST', ':ws/mobile-app-config/actions', body)).data.id;
  },
  pairing,
  mobile_user: async (world) => (await mobileUser(world)).id,
  device,
  /** Something that staff did on the device, and may take back. */
  staff_operation: async (world) => {
    const action = await world.get('app_action');
    await world.get('entry');
    const headers = { 'X-Mobile-Token': (await world.get('device')).token };
    const body = { pass_id: await world.get('pass'), data: { points: 1 } };
    const path = `/service-api/mobile-app-actions/${action}/execute`;
    await world.client.must('POST', path, { headers, body });
    const recent = '/service-api/mobile-app/recent?limit=1';
    return (await world.client.must('GET', recent, { headers })).data[0].id;
  },
  api_token: async (world) => {
    const body = { name: unique('Token'), scope: 'read' };
    return (await world.ask('POST', '/service-api/user/api-tokens', body)).data.id;
  },
  device_session: async (world) => (await world.get('device')).sessionId,
  portal: async (world) => {
    await world.ask('PUT', ':ws/portal-config', { is_enabled: true });
    return true;
  },
  portal_token: (world) => portalToken(world),
  /** A customer who may be erased. */
  leaver: async (world) => {
    const address = email();
    const { data } = await world.ask('POST', ':ws/clients', { email: address });
    return { email: address, token: await portalToken(world, data.id) };
  },
  programme,
  referral,
  invitation,
  invitation_token: async (world) => {
    const guest = await world.client.register();
    await world.ask('POST', '/service-api/invite', { email: guest.email, workspace_id: world.id });
    return { guest, token: (await invitationTo(world, guest.email)).invitation_token };
  },
  member,
  user: async (world) => (await member(world)).id,
  stranger: async (world) => (await world.client.register()).id,
  role: async (world) =>
    (await world.ask('GET', ':ws/roles')).data.find(
      (/** @type {any} */ each) => each.name === 'member',
    ).id,
  /** A further workspace of the same owner, for what can be done to a workspace once. */
  side: (world) => createWorld(world.client, { owner: world.owner, admin: world.admin }),
  workspace: async (world) =>
    (await world.ask('POST', '/service-api/workspaces', { name: unique('Throwaway') })).data,
  /** A workspace that is made like this one. */
  clone: async (world) => (await world.ask('POST', ':ws/clone', { name: unique('Clone') })).data.id,
  /** A workspace whose clock can be moved. */
  sandbox: async (world) =>
    (await world.ask('POST', '/service-api/workspaces', { name: 'Sandbox', sandbox: true })).data,
};
