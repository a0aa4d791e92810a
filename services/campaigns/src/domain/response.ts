import { total, type Units, ZERO } from '@laurel/values/amount';

/** How many of those whom a campaign reached came back, how many redeemed, and what they spent. */
export interface ResponseFigures {
  returned: number;
  redeemed: number;
  spent: Units;
}

/** What came after a campaign, in all and day by day. */
export interface CountedResponse {
  whole: ResponseFigures;
  days: ResponseFigures[];
}

export function noResponse(days: number): CountedResponse {
  const none = (): ResponseFigures => ({ returned: 0, redeemed: 0, spent: ZERO });
  return { whole: none(), days: Array.from({ length: days }, none) };
}

/** The response of two groups that have no client in common. */
export function addResponses(one: CountedResponse, other: CountedResponse): CountedResponse {
  return {
    whole: addFigures(one.whole, other.whole),
    days: one.days.map((day, at) => addFigures(day, other.days[at])),
  };
}

function addFigures(one: ResponseFigures, other: ResponseFigures | undefined): ResponseFigures {
  if (!other) return one;
  return {
    returned: one.returned + other.returned,
    redeemed: one.redeemed + other.redeemed,
    spent: total(one.spent, other.spent),
  };
}
