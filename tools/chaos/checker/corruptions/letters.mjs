// Harm to mails and texts.
import { isInvitation, isText } from '../letters.mjs';
import { change, drop } from './plant.mjs';

/** @typedef {import('../world.mjs').Letter} Letter */

/** @type {readonly import('./plant.mjs').Corruption[]} */
export const LETTERS = [
  { name: 'an invitation is lost', caughtBy: 'W1', plant: drop('letters', isInvitation) },
  {
    name: 'somebody is invited by two mails',
    caughtBy: 'W1',
    plant: change('letters', isInvitation, (/** @type {Letter} */ letter) => [
      letter,
      { ...letter, id: 'a-second' },
    ]),
  },
  {
    name: 'an invitation goes to somebody else',
    caughtBy: 'W1',
    plant: change('letters', isInvitation, (/** @type {Letter} */ letter) => [
      letter,
      { ...letter, id: 'another', to: 'invite-another@example.com' },
    ]),
  },
  {
    name: 'a text says something else when it is sent again',
    caughtBy: 'W1',
    plant: change('letters', isText, (/** @type {Letter} */ letter) => ({
      ...letter,
      isAltered: true,
    })),
  },
  {
    name: 'all texts to a phone are lost',
    caughtBy: 'W1',
    plant: ({ letters, history }) => {
      const sent = history.find(({ kind, outcome }) => kind === 'text' && outcome === 'ok');
      return sent ? { letters: letters.filter(({ to }) => to !== sent.of) } : null;
    },
  },
];
