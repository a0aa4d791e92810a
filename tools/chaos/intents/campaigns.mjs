// Campaigns that give everybody of the audience a reward, and cards that get another look.

/** @typedef {import('./draw.mjs').Maker} Maker */

/** @type {Record<string, Maker>} */
export const CAMPAIGNS = {
  /** Each campaign is launched by the worker that draws it; at times it is asked for by two. */
  launch: ({ random, workspace }) => {
    const { drafts } = workspace;
    if (drafts.length === 0) return undefined;
    const of = random.pick(drafts);
    if (random.chance(0.8)) drafts.splice(drafts.indexOf(of), 1);
    return {
      kind: 'launch',
      path: `/service-api/campaigns/${of}/launch`,
      body: {},
      of,
      door: 'account',
    };
  },
  redesign: ({ workspace, tag }) => ({
    kind: 'redesign',
    path: `/service-api/pass-templates/${workspace.template}`,
    method: 'PATCH',
    body: { logo_text: tag },
    door: 'account',
  }),
};
