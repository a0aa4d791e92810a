// What members see of it: a card in their phone, a form at the counter, a page of their own.

/** As many of the first members have put the card into their phone. */
const CARDS = 40;
const BROWN = '#5B3A29';

/** @type {import('./index.mjs').Chapter} */
export const doors = {
  title: 'A card for the phone, a form at the counter, a page for members',
  async play({ laurel, members, summary }) {
    const { id: project_id } = await laurel.projects.create({ name: 'Bean & Leaf' });
    const { id: pass_template_id } = await laurel.passTemplates.create({
      project_id,
      name: 'Bean & Leaf card',
      pass_type: 'LOYALTY',
      background_color: BROWN,
      label_color: '#D9C3A5',
      value_color: '#FFFFFF',
      top_field_label: 'Beans',
      top_field_value: `\${wallet:beans.points}`,
    });
    const { public_url } = await laurel.distributions.create({
      project_id,
      pass_template_id,
      name: 'At the counter',
      delivery_mode: 'page',
    });
    for (const { id: client_id } of members.slice(0, CARDS))
      await laurel.passes.create({ project_id, pass_template_id, client_id });
    const { workspace_slug } = await laurel.portalConfig.set({
      is_enabled: true,
      primary_color: BROWN,
    });
    summary.push(
      ['Form', String(public_url)],
      ['Portal', String(new URL(`/portal/${workspace_slug}`, String(public_url)))],
    );
  },
};
