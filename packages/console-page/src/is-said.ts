/** Whether a member of what was stored says anything that its absence would not; nothing, an empty list and an empty object do not. */
export const isSaid = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(isSaid)
    : value !== undefined && value !== null;
