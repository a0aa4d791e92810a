// The chain opens its programme: a workspace, a currency, what it wants to know of people, and where it listens.

/** @type {import('./index.mjs').Chapter} */
export const opening = {
  title: 'Bean & Leaf opens a loyalty programme',
  async play(story) {
    const { platform, receiver } = story;
    const { id, name, slug } = await platform.laurel.workspaces.create({ name: 'Bean & Leaf' });
    const laurel = platform.in(id);
    story.laurel = laurel;
    story.summary.push(['Workspace', `${name} (${slug}) ${id}`]);
    await laurel.walletTypes.create({
      code: 'beans',
      name: 'Beans',
      unit_singular_name: 'bean',
      unit_plural_name: 'beans',
      expiry_days: 730,
    });
    await laurel.dataModel.create({
      field_name: 'card',
      field_label: 'Card number',
      field_type: 'text',
    });
    await laurel.dataModel.create({
      field_name: 'home_shop',
      field_label: 'Home shop',
      field_type: 'select',
      options: ['Harbour', 'Old Town', 'Station'],
    });
    const webhook = { url: receiver.url, event_types: ['*'], description: 'Till server' };
    const { secret } = await laurel.webhooks.create(webhook);
    receiver.trust(secret);
  },
};
