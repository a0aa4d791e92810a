// Everybody who had a paper card comes over from the old till, as its export has them.
import { setTimeout as pause } from 'node:timers/promises';
import { makePeople, toCsv } from '../people.mjs';
import { startBar } from '../progress.mjs';

const LOOK_EVERY_MS = 500;
const PAGE = 1_000;

/** @typedef {import('./index.mjs').Story} Story */

/** @type {import('./index.mjs').Chapter} */
export const members = {
  title: 'The members of the old card come over',
  async play(story) {
    const { random, size } = story;
    const { members: people, rows } = makePeople(random, size.members);
    const job = await importRows(story, toCsv(rows), rows.length);
    if (job.created !== people.length)
      story.problems.push(`${job.created} of ${people.length} members were created`);
    story.members = await readMembers(story, people);
    story.summary.push(
      ['Members', `${job.created} of ${rows.length} rows of the export`],
      ['Rows refused', `${job.failed}: ${reasons(job.errors)}`],
    );
  },
};

/** @param {Story} story @param {string} csv @param {number} rows @returns the job, at its end */
async function importRows({ laurel }, csv, rows) {
  const form = new FormData();
  form.append('file', new Blob([csv], { type: 'text/csv' }), 'till-export.csv');
  let job = await laurel.clients.import(form);
  const bar = startBar('Importing the export', rows);
  for (let seen = 0; ; await pause(LOOK_EVERY_MS)) {
    job = await laurel.clients.getImportJob(job.id);
    bar.add(job.processed - seen);
    seen = job.processed;
    if (job.status === 'completed' || job.status === 'failed') break;
  }
  bar.end();
  if (job.status === 'failed') throw new Error('the import failed as a whole');
  return job;
}

/** @param {{ message: string }[]} errors */
function reasons(errors) {
  const counts = new Map();
  for (const { message } of errors) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts].map(([message, count]) => `${count} × ${message}`).join('; ');
}

/**
 * @param {Story} story
 * @param {import('../people.mjs').Person[]} people
 */
async function readMembers({ laurel }, people) {
  const byCard = new Map(people.map((person) => [person.card, person]));
  const found = [];
  for await (const { id, custom_fields } of laurel.clients.list({ limit: PAGE })) {
    const person = byCard.get(String(custom_fields.card));
    if (person) found.push({ id, person, balance: 0, earned: 0 });
  }
  return found;
}
