// A tasting evening is announced to the members who agreed to news.

const PUSH = {
  action_type: 'push_notification',
  action_config: { notification_message: 'Tasting on Friday at seven.' },
};

/** @param {import('./index.mjs').Story} story */
export async function draftTasting({ tell, rows }) {
  const tasting = {
    name: 'Tasting evening',
    description: 'Three roasts from Guatemala',
    segment_id: rows.segment,
  };
  const id = (await tell('campaigns.create', { body: tasting })).data.id;
  const first = (await tell('campaigns.createAction', { id, body: PUSH })).data.id;
  const gift = { action_type: 'give_reward', action_config: { reward_ids: [rows.cake] } };
  const second = (await tell('campaigns.createAction', { id, body: gift })).data.id;
  const third = (await tell('campaigns.createAction', { id, body: PUSH })).data.id;
  await tell('campaigns.listActions', { id });
  await tell('campaigns.updateAction', {
    id: first,
    body: { action_config: { notification_message: 'Tasting on Friday at eight.' } },
  });
  await tell('campaigns.deleteAction', { id: third });
  await tell('campaigns.reorderActions', { id, body: { action_ids: [second, first] } });
  await tell('campaigns.list');
  await tell('campaigns.get', { id });
  await tell('campaigns.update', {
    id,
    body: { description: 'Three roasts from Guatemala, and cake' },
  });
  rows.campaign = id;
}

/** @param {import('./index.mjs').Story} story */
export async function announceTasting({ tell, ask, send, rows, known, at, day, until }) {
  const id = rows.campaign;
  await tell('campaigns.countAudience', { id });
  await tell('campaigns.previewAudience', { id });
  await tell('campaigns.getReachability', { body: { client_ids: [rows.anna, rows.ben] } });
  await tell('campaigns.estimate', { id });
  await tell('campaigns.schedule', { id, body: { scheduled_at: at(7) } });
  await tell('campaigns.listCalendar', {
    query: { workspace_id: known.workspaceId, start: day(-1), end: day(30) },
  });
  await tell('campaigns.unschedule', { id });
  const copy = (
    await tell('campaigns.duplicate', {
      id,
      body: { name: 'Tasting in spring', include_actions: true },
    })
  ).data.id;
  await send('campaigns.schedule', { id: copy, body: { scheduled_at: at(14) } });
  await tell('campaigns.cancel', { id: copy });
  await tell('campaigns.launch', { id });
  const isSent = async () => /completed/.test((await ask('campaigns.get', { id })).data.status);
  await until(isSent, 'the end of the campaign');
  await tell('campaigns.getActionStats', { id });
  await tell('campaigns.getStatistics', { id });
  await tell('campaigns.listAudience', { id });
  await tell('campaigns.listEvents', { id });
  await tell('campaigns.listErrors', { id });
  await tell('campaigns.getSummary');
}

/** @param {import('./index.mjs').Story} story */
export async function thankMembers({ tell, rows }) {
  const more = (
    await tell('campaigns.create', {
      body: { name: 'Thank you', manual_client_ids: [rows.anna, rows.cara] },
    })
  ).data.id;
  await tell('campaigns.listUnreachable', { id: more });
  await tell('campaigns.createAction', { id: more, body: PUSH });
  await tell('campaigns.executeAll', { id: more });
  const last = (
    await tell('campaigns.create', {
      body: { name: 'Oat milk is back', manual_client_ids: [rows.anna] },
    })
  ).data.id;
  const action = (await tell('campaigns.createAction', { id: last, body: PUSH })).data.id;
  await tell('campaigns.executeAction', { id: action });
  const spare = (await tell('campaigns.create', { body: { name: 'Never sent' } })).data.id;
  await tell('campaigns.delete', { id: spare });
  const { data: pushes } = await tell('passes.listPushes');
  await tell('passes.retryPush', { pushId: pushes[0].id, body: {} });
}
