// The chain opens its programme: a workspace, a currency, what it wants to know of people, and where it listens.

/** @type {import('./index.mjs').Chapter} */
export const opening = {
  title: 'Bean & Leaf opens a loyalty programme',
  async play(story) {
    const { api, receiver } = story;
    const { data } = await api.post('/workspaces', { name: 'Bean & Leaf' });
    story.workspace = `/workspace/${data.id}`;
    story.summary.push(['Workspace', `${data.name} (${data.slug}) ${data.id}`]);
    const { workspace } = story;
    await api.post(`${workspace}/wallet-types`, {
      code: 'beans',
      name: 'Beans',
      unit_singular_name: 'bean',
      unit_plural_name: 'beans',
      expiry_days: 730,
    });
    await api.post(`${workspace}/data-model`, {
      field_name: 'card',
      field_label: 'Card number',
      field_type: 'text',
    });
    await api.post(`${workspace}/data-model`, {
      field_name: 'home_shop',
      field_label: 'Home shop',
      field_type: 'select',
      options: ['Harbour', 'Old Town', 'Station'],
    });
    const webhook = { url: receiver.url, event_types: ['*'], description: 'Till server' };
    const { secret } = await api.post(`${workspace}/webhooks`, webhook);
    receiver.trust(secret);
  },
};
