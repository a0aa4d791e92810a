// The books are closed: what the platform says must be what was rung up, to the last unit.

/** @typedef {import('./index.mjs').Story} Story */

const UNITS_PER_BEAN = 10_000;

/** @param {number} units */
const beans = (units) =>
  (units / UNITS_PER_BEAN).toLocaleString('en', { maximumFractionDigits: 4 });

/** @type {import('./index.mjs').Chapter} */
export const audit = {
  title: 'The books are closed',
  async play(story) {
    const { api, workspace, figures, members, problems } = story;
    const { data } = await api.get(`${workspace}/loyalty/points/summary`);
    const outstanding = members.reduce((sum, { balance }) => sum + balance, 0);
    compare(story, 'issued', data.earned, figures.issued);
    compare(story, 'spent', data.spent, figures.spent);
    compare(story, 'outstanding', data.active_liability, outstanding);
    const verified = (await api.post(`${workspace}/loyalty/points/verify`, {})).data;
    if (!verified.valid) problems.push(`points/verify: ${JSON.stringify(verified.problems)}`);
    if (verified.entries_checked !== story.entries)
      problems.push(`the ledger has ${verified.entries_checked} of ${story.entries} entries`);
    story.summary.push(
      ['Beans issued', beans(figures.issued)],
      ['Beans spent', beans(figures.spent)],
      ['Beans taken back', beans(figures.takenBack)],
      ['Beans outstanding', beans(outstanding)],
      [
        'points/verify',
        `${verified.valid ? 'valid' : 'NOT VALID'}: ${verified.entries_checked} entries in ${verified.wallets_checked} wallets`,
      ],
    );
  },
};

/** @param {Story} story @param {string} what @param {number} told @param {number} units */
function compare({ problems }, what, told, units) {
  if (Math.round(told * UNITS_PER_BEAN) !== units)
    problems.push(`${beans(units)} beans were ${what}, the platform says ${told}`);
}
