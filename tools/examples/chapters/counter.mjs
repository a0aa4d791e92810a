// Maeve stands at the till with the staff app; Anna looks into the portal at home.

import { pictureFile } from './cards.mjs';
import { cookieOf, OWN_PAGE } from './opening.mjs';

/** @param {import('./index.mjs').Story} story */
export async function setUpTill({ tell, known, rows, people }) {
  const look = {
    primary_color: '#3E2723',
    welcome_message: 'Good morning!',
    enable_pass_history: true,
  };
  await tell('staffAppConfig.create', { body: { is_enabled: true, app_config: look } });
  await tell('staffAppConfig.get');
  await tell('staffAppConfig.update', { body: { app_config: look } });
  const points = { name: 'Beans by hand', action_type: 'add_points' };
  rows.action = (await tell('staffAppConfig.createAction', { body: points })).data.id;
  const spare = (
    await tell('staffAppConfig.createAction', {
      body: { name: 'Another way', action_type: 'remove_points' },
    })
  ).data.id;
  await tell('staffAppConfig.updateAction', {
    id: rows.action,
    body: { description: 'For what the till forgot' },
  });
  await tell('staffAppConfig.deleteAction', { id: spare });
  const { data } = await tell('staffAppConfig.get');
  await tell('staffAppConfig.reorderActions', {
    body: { action_ids: data.actions.map((/** @type {any} */ { id }) => id).reverse() },
  });
  await tell('staffUsers.listLinkable');
  const maeve = (
    await tell('staffUsers.create', {
      body: { email: people.maeve, first_name: 'Maeve', last_name: 'Ryan' },
    })
  ).data.id;
  rows.maeve = maeve;
  const liam = (
    await tell('staffUsers.createFromMember', { body: { workspace_user_id: known.liam } })
  ).data.id;
  await tell('staffUsers.list');
  await tell('staffUsers.get', { userId: maeve });
  await tell('staffUsers.update', { userId: maeve, body: { phone: '+353850001122' } });
  await tell('staffUsers.delete', { userId: liam });
}

/** @param {import('./index.mjs').Story} story @returns {Promise<{ identifier: string, code: string }>} */
async function pairing({ tell, rows, people }) {
  const { code } = await tell('staffUsers.sendPairingCode', {
    userId: rows.maeve,
    body: { delivery_method: 'none' },
  });
  return { identifier: people.maeve, code };
}

/** @param {import('./index.mjs').Story} story */
export async function standAtTill(story) {
  const { tell, known, rows } = story;
  const phone = { device_name: 'Phone at the counter', device_os: 'Android 15' };
  const { data: paired } = await tell('staffApp.pair', {
    body: { ...(await pairing(story)), ...phone },
  });
  const { data: fresh } = await tell('staffApp.refresh', {
    body: { refresh_token: paired.refresh_token },
  });
  known.mobile = fresh.access_token;
  await tell('staffApp.getMe');
  await tell('staffApp.getStart');
  await tell('staffApp.scanPass', { barcode_value: rows.barcode });
  await tell('staffApp.searchPasses', { query: { q: 'Anna' } });
  await tell('staffApp.getPass', { id: rows.pass });
  await tell('staffApp.getPassLoyalty', { id: rows.pass });
  await tell('staffApp.listPassRewards', { id: rows.pass });
  const beans = { pass_id: rows.pass, data: { points: 5, wallet_type_code: 'beans' } };
  await tell('staffApp.createActionQuote', { id: rows.action, body: beans });
  await tell('staffApp.executeAction', { id: rows.action, body: beans });
  await tell('staffApp.getRecent');
  const { data: recent } = await tell('staffApp.getRecent');
  await tell('staffApp.getOperation', { id: recent[0].id });
  await tell('staffApp.createOperationUndo', { id: recent[0].id });
  await tell('staffApp.listPassHistory', { id: rows.pass });
  await tell('staffApp.listPassEntries', { id: rows.pass });
  await tell('staffApp.listPassRedemptions', { id: rows.pass });
  await tell('staffApp.listPassTransactions', { id: rows.pass });
  await tell('staffApp.useRedemption', { id: rows.open, body: { used: true } });
  await tell('staffApp.validateCoupons', { body: { code: 'TASTE-MARCH-02' } });
  await tell('staffApp.createClient', {
    body: { first_name: 'Lily', phone: '+353860009988', pass_template_id: rows.template },
  });
  await tell('staffApp.scanReceipt', { file: pictureFile(known.workspaceId ?? '', 'receipt.png') });
  await openTillPage(story);
  await tell('staffAppConfig.getActivity');
  const { data: sessions } = await tell('staffUsers.listSessions', { userId: rows.maeve });
  await tell('staffUsers.deleteSession', { userId: rows.maeve, sessionId: sessions[0].id });
  const { data: last } = await tell('staffApp.pair', { body: await pairing(story) });
  await tell('staffApp.logout', { body: { refresh_token: last.refresh_token } });
}

/** As the till's page does it. @param {import('./index.mjs').Story} story */
async function openTillPage(story) {
  const { tell, send } = story;
  await tell('staffApp.createSession', { body: await pairing(story), headers: OWN_PAGE });
  const opened = await send('staffApp.createSession', {
    body: await pairing(story),
    headers: OWN_PAGE,
  });
  await tell('staffApp.refreshSession', { headers: cookieOf(opened.headers['set-cookie']) });
  const other = await send('staffApp.createSession', {
    body: await pairing(story),
    headers: OWN_PAGE,
  });
  await tell('staffApp.deleteSession', { headers: cookieOf(other.headers['set-cookie']) });
}

/** @param {import('./index.mjs').Story} story */
export async function lookAtHome({ tell, send, known, rows, people, mail }) {
  const portal = {
    is_enabled: true,
    welcome_title: 'Hello!',
    show_referral: true,
    login_mode: 'code',
  };
  await tell('portalConfig.set', { body: portal });
  await tell('portalConfig.get');
  await tell('portal.getConfig', { query: { workspace_slug: known.slug } });
  const anna = { workspace_slug: known.slug, email: people.anna };
  await tell('portal.requestLogin', { body: anna });
  const code = await mail.codeFor(people.anna);
  known.portal = (await tell('portal.verifyLogin', { body: { ...anna, code } })).data.token;
  await send('portalConfig.set', { body: { ...portal, login_mode: 'link' } });
  const link = { workspace_slug: known.slug, client_id: rows.anna };
  known.portal = (await tell('portal.createSession', { body: link })).data.token;
  await tell('portal.getMe');
  await tell('portal.getBalance');
  await tell('portal.getTier');
  await tell('portal.listRewards');
  await tell('portal.getReward', { id: rows.coffee });
  await tell('portal.redeemReward', { id: rows.coffee, body: { metadata: { seen_on: 'phone' } } });
  await tell('portal.listRedemptions');
  await tell('portal.getStatement');
  await tell('portal.getReferral');
  await tell('portal.listPasses');
  await tell('portal.setMarketingConsent', { body: { consent: true } });
  await tell('portal.logout');
}

/** @param {import('./index.mjs').Story} story */
export async function closeShop({ tell, ask, known, run, at }) {
  const leaver = { email: `zoe${run}@example.com`, first_name: 'Zoe' };
  const zoe = (await ask('clients.create', { body: leaver })).data;
  const { token } = (
    await ask('portal.createSession', { body: { workspace_slug: known.slug, client_id: zoe.id } })
  ).data;
  await tell('portal.erase', {
    headers: { 'x-client-token': token },
    body: { email: leaver.email, confirm_erase: true },
  });
  const clone = (await tell('workspaces.clone', { body: { name: 'Roasted, to try things' } })).data;
  await tell('workspaces.getClone', { id: clone.id });
  const { data: passes } = await ask('passes.list');
  await tell('passes.delete', { id: passes.at(-1).id });
  await tell('tiers.deleteSet');
  await tell('referrals.deleteProgram');
  await tell('staffAppConfig.delete');
  const sandbox = await ask('workspaces.create', { body: { name: 'Sandbox', sandbox: true } });
  const workspaceId = sandbox.data.id;
  await tell('workspaces.getClock', { workspaceId });
  await tell('workspaces.advanceClock', { workspaceId, body: { to: at(30) } });
  const closing = (
    await ask('workspaces.create', { body: { name: 'Pop-up', slug: `pop-up${run}` } })
  ).data;
  await tell('workspaces.delete', {
    workspaceId: closing.id,
    body: { confirm_slug: closing.slug },
  });
  await tell('user.listSessions');
  const { data: sessions } = await tell('user.listSessions');
  const old = sessions.find((/** @type {any} */ { current }) => !current) ?? sessions[0];
  await tell('user.deleteSession', { id: old.id });
  await tell('user.deleteSessions');
}
