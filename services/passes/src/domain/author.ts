/** Who changes something, and when; `userId` is null for the platform itself and for staff without an account. */
export interface Author {
  userId: string | null;
  now: Date;
}

/** What a row says of its origin that was just made, be it new or a copy: it is unchanged so far. */
export const firstRevisionBy = ({ userId, now }: Author) => ({
  user_created: userId,
  user_updated: null,
  date_created: now,
  date_updated: now,
  revision: 1,
});
