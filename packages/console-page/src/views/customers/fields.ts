/** What a customer has that a table of customers is about. */
export const FIELDS = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'birth_date',
  'marketing_consent',
] as const;
