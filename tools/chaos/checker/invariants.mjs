// Every invariant by name (research: reliability-anchors, section 3), and what each promises.
import {
  sequencesHaveNoGaps,
  statusesFollowMarks,
  sumsAreBalances,
  totalsExplainBalances,
} from './balances.mjs';
import { campaignsReachEachOnce, googleShowsTheTruth, phonesShowTheTruth } from './cards.mjs';
import { chainsHold } from './chain.mjs';
import { contactsAreTrue } from './contacts.mjs';
import { deliveriesCountOnce, formsMakeOneMember, portalRedeemsOnce } from './doors.mjs';
import { forgottenLeaveNothing, guestsEarnOnce, workspacesAreApart } from './guests.mjs';
import {
  acknowledgedIsApplied,
  answersWereTrue,
  orderIsReal,
  repeatsAreAnsweredAlike,
  usedKeysConflict,
} from './history.mjs';
import { clientsAreCreatedOnce, holdsEndAsTold, refundsAreProportional } from './holds.mjs';
import { lettersArriveOnce } from './letters.mjs';
import { creditsStayUnderCap, debitsAreCovered } from './limits.mjs';
import {
  calmIsAvailable,
  everythingDrains,
  faultsAreNotAnswers,
  platformAgrees,
} from './liveness.mjs';
import {
  dueThingsHappenOnce,
  lotsAreBalances,
  lotsAreSpentOnce,
  oldestLotsGoFirst,
} from './lots.mjs';
import { mergesConserve } from './merges.mjs';
import {
  eventsAreHandledOnce,
  eventsLeaveOnce,
  queuesAreEmpty,
  replaysChangeNothing,
  webhooksArrive,
} from './messages.mjs';
import { operationsTookEffectOnce, transfersBalance } from './once.mjs';
import { referralsAreCountedOnce } from './referrals.mjs';
import {
  couponsBelongToOne,
  limitsHold,
  redemptionsArePaidOnce,
  redemptionsAreRefundedOnce,
} from './rewards.mjs';
import {
  purchasesEarnOnce,
  refundsKeepToTheirSales,
  rulesKeepToTheirLimits,
  segmentsAreTrue,
} from './shopping.mjs';
import { tillGivesOnce, tillTakesBackOnce } from './till.mjs';
import { mergesAreAsTold, newsIsAsTold, redemptionsAreAsTold } from './told.mjs';
import { tiersFollowPoints } from './views.mjs';

/**
 * @typedef {import('./world.mjs').World} World
 * @typedef {import('./world.mjs').Finding} Finding
 * @typedef {{ name: string, says: string, check: (world: World) => Finding }} Invariant
 */

/** @type {readonly Invariant[]} */
export const INVARIANTS = [
  { name: 'L1', says: 'balances are the sums of their entries', check: sumsAreBalances },
  { name: 'L2', says: 'lots and holds add up to the balances', check: lotsAreBalances },
  { name: 'L3', says: 'sequences have no gaps, balances follow', check: sequencesHaveNoGaps },
  { name: 'L4', says: 'the hash chain holds', check: chainsHold },
  { name: 'L5', says: 'debits are covered', check: debitsAreCovered },
  { name: 'L6', says: 'credits stay under the cap', check: creditsStayUnderCap },
  { name: 'L7', says: 'totals explain balances', check: totalsExplainBalances },
  { name: 'L8', says: 'each point of a lot is spent once', check: lotsAreSpentOnce },
  { name: 'L9', says: 'oldest lots go first', check: oldestLotsGoFirst },
  { name: 'L10', says: 'what is due happens once, in time', check: dueThingsHappenOnce },
  { name: 'L11', says: 'operations take effect once', check: operationsTookEffectOnce },
  { name: 'L12', says: 'transfers balance', check: transfersBalance },
  { name: 'L13', says: 'statuses follow the log', check: statusesFollowMarks },
  { name: 'L14', says: 'merges conserve what they move', check: mergesConserve },
  { name: 'H1', says: 'acknowledged is applied, refused is not', check: acknowledgedIsApplied },
  { name: 'H2', says: 'what clients were told is true', check: answersWereTrue },
  { name: 'H3', says: 'real-time order, readable at once', check: orderIsReal },
  { name: 'H4', says: 'a used key stays with its request', check: usedKeysConflict },
  { name: 'H5', says: 'holds end as told', check: holdsEndAsTold },
  { name: 'H6', says: 'refunds once and in proportion', check: refundsAreProportional },
  { name: 'H7', says: 'clients are created once', check: clientsAreCreatedOnce },
  { name: 'H8', says: 'redemptions are as told', check: redemptionsAreAsTold },
  { name: 'H9', says: 'merges are as told', check: mergesAreAsTold },
  { name: 'H10', says: 'purchases and referrals are as told', check: newsIsAsTold },
  { name: 'H11', says: 'repeats are answered alike', check: repeatsAreAnsweredAlike },
  { name: 'R1', says: 'redemptions are paid for once', check: redemptionsArePaidOnce },
  { name: 'R2', says: 'what is undone is given back once', check: redemptionsAreRefundedOnce },
  { name: 'R3', says: 'usage limits hold, counters are true', check: limitsHold },
  { name: 'R4', says: 'a coupon belongs to one redemption', check: couponsBelongToOne },
  { name: 'R5', says: 'referrals count once, up to the cap', check: referralsAreCountedOnce },
  { name: 'R6', says: 'refunds keep to their own sales', check: refundsKeepToTheirSales },
  { name: 'R7', says: 'purchases earn by the rule, once', check: purchasesEarnOnce },
  { name: 'R8', says: 'rules keep to their limits', check: rulesKeepToTheirLimits },
  { name: 'D1', says: 'what shop systems tell counts once', check: deliveriesCountOnce },
  { name: 'D2', says: 'a form makes one member', check: formsMakeOneMember },
  { name: 'D3', says: 'the portal redeems once', check: portalRedeemsOnce },
  { name: 'D4', says: 'others know clients as they are', check: contactsAreTrue },
  { name: 'D5', says: 'the till gives once, as told', check: tillGivesOnce },
  { name: 'D6', says: 'the till takes back once, as told', check: tillTakesBackOnce },
  { name: 'W1', says: 'mails and texts arrive once', check: lettersArriveOnce },
  { name: 'S1', says: 'segments are true', check: segmentsAreTrue },
  { name: 'C1', says: 'campaigns reach each once', check: campaignsReachEachOnce },
  { name: 'E1', says: 'who is forgotten is found nowhere', check: forgottenLeaveNothing },
  { name: 'E2', says: 'guests earn once, until forgotten', check: guestsEarnOnce },
  { name: 'K1', says: 'phones show the truth in the end', check: phonesShowTheTruth },
  { name: 'K2', says: 'Google shows the truth in the end', check: googleShowsTheTruth },
  { name: 'X1', says: 'workspaces know nothing of others', check: workspacesAreApart },
  { name: 'T4', says: 'tiers follow the points', check: tiersFollowPoints },
  { name: 'M1', says: 'every change is told, once committed', check: eventsLeaveOnce },
  { name: 'M2', says: 'consumers handled what they were sent', check: eventsAreHandledOnce },
  { name: 'M3', says: 'queues and parking are empty', check: queuesAreEmpty },
  { name: 'M4', says: 'webhooks arrive, signed, to the right one', check: webhooksArrive },
  { name: 'M5', says: 'what comes again changes nothing', check: replaysChangeNothing },
  { name: 'A1', says: 'ready and available when left alone', check: calmIsAvailable },
  { name: 'A2', says: 'everything drains, outcomes are known', check: everythingDrains },
  { name: 'A3', says: 'no fault is an answer', check: faultsAreNotAnswers },
  { name: 'P1', says: "the platform's own verification agrees", check: platformAgrees },
];

/**
 * @param {World} world
 * @returns {(Invariant & Finding)[]}
 */
export const checkAll = (world) =>
  INVARIANTS.map((invariant) => ({ ...invariant, ...invariant.check(world) }));
