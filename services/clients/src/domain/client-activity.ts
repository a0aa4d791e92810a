import { total, type Units, ZERO } from '@laurel/values/amount';

/** What is looked at of an event. */
export interface Deed {
  client_id: string;
  event_category: string;
  event_type: string;
  event_timestamp: Date;
  source: string | null;
  amount: Units | null;
}

/** How many clients did something, how many redeemed, and what all of them spent. */
export interface Activity {
  returned: number;
  redeemed: number;
  spent: Units;
}

interface Tally {
  returned: Set<string>;
  redeemed: Set<string>;
  spent: Units;
}

const REDEEMED = 'reward_redeemed';
/** What a campaign did itself does not say that anybody came. */
const isOfCampaign = (source: string | null): boolean =>
  source === 'campaign' || source?.startsWith('campaign:') === true;

/**
 * What events come to, in all and by days, which are named by the moments at which they begin. A client counts once in
 * each figure.
 */
export function activityOf(
  deeds: Iterable<Deed>,
  { categories, dayStarts }: { categories: readonly string[]; dayStarts: readonly number[] },
): { whole: Activity; days: Activity[] } {
  const blank = (): Tally => ({ returned: new Set(), redeemed: new Set(), spent: ZERO });
  const whole = blank();
  const days = dayStarts.map(blank);
  for (const deed of deeds) {
    if (isOfCampaign(deed.source)) continue;
    const at = deed.event_timestamp.getTime();
    const day =
      days[
        Math.max(
          0,
          dayStarts.findLastIndex((start) => start <= at),
        )
      ];
    for (const tally of day ? [whole, day] : [whole]) note(tally, deed, categories);
  }
  return { whole: figuresOf(whole), days: days.map(figuresOf) };
}

function note(tally: Tally, deed: Deed, categories: readonly string[]): void {
  const { client_id: clientId, event_category: category, event_type: type, amount } = deed;
  // A refund is no visit: it lowers what was spent.
  const isRefund = category === 'transaction' && type === 'refund';
  if (categories.includes(category) && !isRefund) tally.returned.add(clientId);
  if (type === REDEEMED) tally.redeemed.add(clientId);
  if (category === 'transaction' && amount !== null)
    tally.spent = total(tally.spent, isRefund ? -amount : amount);
}

function figuresOf({ returned, redeemed, spent }: Tally): Activity {
  return { returned: returned.size, redeemed: redeemed.size, spent };
}
