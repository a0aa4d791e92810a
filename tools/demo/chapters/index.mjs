// The story, chapter by chapter. A new part of the platform gets a file here and a line below.

import { audit } from './audit.mjs';
import { doors } from './doors.mjs';
import { listening } from './listening.mjs';
import { members } from './members.mjs';
import { opening } from './opening.mjs';
import { referrals } from './referrals.mjs';
import { rewards } from './rewards.mjs';
import { climbed, tiers } from './tiers.mjs';
import { year } from './year.mjs';

/**
 * What chapters share: where they play, what they drew, and what they expect the platform to have come to.
 *
 * @typedef {{ id: string, person: import('../people.mjs').Person, balance: number, earned: number }} Member `balance`, and what
 *   was `earned` ever, in units of 1/10 000
 * @typedef {{
 *   platform: ReturnType<typeof import('../platform.mjs').connect>, laurel: import('@laurel/client').Laurel,
 *   receiver: import('../receiver.mjs').Receiver, random: import('../../lib/random.mjs').Random,
 *   size: { members: number, visits: number }, members: Member[], entries: number,
 *   figures: { issued: number, spent: number, takenBack: number },
 *   summary: [label: string, value: string][], problems: string[],
 * }} Story `size` is how many members, and how often each comes in a year; `laurel` works in the chain's workspace once that is open; figures are units too
 * @typedef {{ title: string, play: (story: Story) => Promise<void> }} Chapter
 */

/** @type {readonly Chapter[]} */
export const CHAPTERS = [
  opening,
  members,
  doors,
  tiers,
  year,
  climbed,
  rewards,
  referrals,
  listening,
  audit,
];
