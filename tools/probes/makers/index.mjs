// How a row of each noun is made. Each takes the world it is made in and answers what a request names it by.
import { CAMPAIGNS } from './campaigns.mjs';
import { CARDS } from './cards.mjs';
import { LOYALTY } from './loyalty.mjs';
import { OUTSIDE } from './outside.mjs';
import { PEOPLE } from './people.mjs';

/** @typedef {(world: import('../world.mjs').World) => Promise<any>} Maker */

/** @type {(noun: string) => Maker | undefined} */
export const makerOf = (noun) =>
  CARDS[noun] ?? LOYALTY[noun] ?? CAMPAIGNS[noun] ?? OUTSIDE[noun] ?? PEOPLE[noun];
