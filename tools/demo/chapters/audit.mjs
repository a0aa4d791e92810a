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
    const { laurel, figures, members, problems } = story;
    const summary = await laurel.points.getSummary();
    const outstanding = members.reduce((sum, { balance }) => sum + balance, 0);
    compare(story, 'issued', summary.earned, figures.issued);
    compare(story, 'spent', summary.spent, figures.spent);
    compare(story, 'outstanding', summary.active_liability, outstanding);
    const verified = await laurel.points.verify({});
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

/** @param {Story} story @param {string} what @param {number} heard @param {number} units */
function compare({ problems }, what, heard, units) {
  if (Math.round(heard * UNITS_PER_BEAN) !== units)
    problems.push(`${beans(units)} beans were ${what}, the platform says ${heard}`);
}
