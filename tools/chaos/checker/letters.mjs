// W1: mails and texts.
import { finding, groupBy } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Letter} Letter */
/** @typedef {import('./world.mjs').Operation} Operation */

const sum = (/** @type {readonly number[]} */ numbers) =>
  numbers.reduce((all, one) => all + one, 0);

/** So that what else is mailed, to who signs in or fills in a form, is left out. @param {Letter} letter */
export const isInvitation = ({ channel, to }) => channel === 'email' && to.startsWith('invite-');
/** @param {Letter} letter */
export const isText = ({ channel }) => channel === 'sms';

/**
 * W1: who is invited has one mail, and who is sent a code a text for each time that it was said to be sent; what was refused, and
 * what was not asked for, is not sent; what comes twice is the same.
 *
 * @param {World} world
 */
export function lettersArriveOnce(world) {
  const found = finding();
  const byAddress = groupBy(world.letters, ({ to }) => to);
  const asked = groupBy(
    world.history.filter(({ kind }) => kind === 'invite' || kind === 'text'),
    ({ of }) => String(of),
  );
  for (const [to, operations] of asked) {
    const { length } = byAddress.get(to) ?? [];
    const sure = operations.filter(({ outcome }) => outcome === 'ok').length;
    const most = sum(operations.map(mostOf));
    found.must(
      length >= sure && length <= most,
      () => `${to} was sent ${length} times, where it was asked for ${sure} to ${most} times`,
    );
  }
  for (const letter of world.letters) {
    found.must(!letter.isAltered, () => `${letter.id} to ${letter.to} came in two versions`);
    if (isInvitation(letter) || isText(letter))
      found.must(
        asked.has(letter.to),
        () => `${letter.id} went to ${letter.to}, whom nothing named`,
      );
  }
  return found;
}

/** An invitation is made once under its key; a code that is asked for again is another one, in the place of the first. @param {Operation} operation */
const mostOf = ({ kind, outcome, attempts }) => {
  if (outcome === 'fail') return kind === 'text' ? attempts - 1 : 0;
  return kind === 'text' ? attempts : 1;
};
