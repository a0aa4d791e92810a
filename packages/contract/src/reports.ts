/** By what figures are grouped. */
export const PERIODS = ['day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** What became of points on a day. */
export const POINT_FLOWS = ['issued', 'used', 'expired'] as const;
export type PointFlow = (typeof POINT_FLOWS)[number];
