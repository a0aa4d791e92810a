import type { StaffUser } from '@laurel/client';

export const staffName = (user: StaffUser): string =>
  [user.first_name, user.last_name].filter(Boolean).join(' ') || user.email || user.phone || '';
