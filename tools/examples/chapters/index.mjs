// The story of a coffee shop in Dublin, over every operation that there is.
import { announceTasting, draftTasting, thankMembers } from './campaigns.mjs';
import { designCard, fillPhones, handOutCards, openForms } from './cards.mjs';
import { closeShop, lookAtHome, setUpTill, standAtTill } from './counter.mjs';
import { welcomeMembers } from './members.mjs';
import { gatherTeam, openAccounts, openWorkspace } from './opening.mjs';
import { importSales, openInbox, syncCrm, tellOthers, writeMails } from './outside.mjs';
import {
  countBeans,
  lookBack,
  moveBeans,
  raiseTiers,
  redeemRewards,
  sellCoffee,
} from './points.mjs';
import { buildTiers, groupMembers, mintBeans, offerRewards, writeRules } from './programme.mjs';

/**
 * @typedef {object} Story
 * @property {import('../teller.mjs').Teller['tell']} tell
 * @property {import('../teller.mjs').Teller['ask']} ask without being kept
 * @property {import('../teller.mjs').Teller['send']} send the whole answer, without being kept
 * @property {Record<string, string>} known credentials, and the workspace
 * @property {Record<string, any>} rows ids by what the story calls them
 * @property {string} run makes the names of this run unlike those of others
 * @property {Record<'nora' | 'liam' | 'owen' | 'maeve' | 'anna' | 'ben' | 'cara', string>} people their e-mail addresses
 * @property {string} outside where the systems of others answer
 * @property {{ tokenFor: (to: string, subject?: string, page?: string) => Promise<string>, codeFor: (to: string) => Promise<string> }} mail
 * @property {(days: number) => string} day a date so many days from today
 * @property {(days: number) => string} at ten o'clock on such a day
 * @property {typeof import('../../lib/until.mjs').until} until
 */

/** @type {readonly ((story: Story) => Promise<void>)[]} */
export const CHAPTERS = [
  openAccounts,
  openWorkspace,
  gatherTeam,
  mintBeans,
  buildTiers,
  offerRewards,
  writeRules,
  groupMembers,
  welcomeMembers,
  designCard,
  handOutCards,
  openForms,
  fillPhones,
  sellCoffee,
  moveBeans,
  countBeans,
  redeemRewards,
  raiseTiers,
  lookBack,
  tellOthers,
  openInbox,
  importSales,
  syncCrm,
  writeMails,
  draftTasting,
  announceTasting,
  thankMembers,
  setUpTill,
  standAtTill,
  lookAtHome,
  closeShop,
];
