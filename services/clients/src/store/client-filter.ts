import { emailKeyOf } from '@laurel/values/contact';
import { containing } from './search';

/** Which clients of a workspace a list shows. */
export interface ClientFilter {
  search?: string | undefined;
  status?: string | undefined;
  source?: string | undefined;
  email?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The same as the rows of the workspace are asked. */
export function toFilter(filter: ClientFilter): Record<string, unknown> {
  const { search, status, source, email, from, to } = filter;
  return {
    ...(status === undefined ? {} : { status }),
    ...(source === undefined ? {} : { source }),
    ...(email === undefined ? {} : { email_key: emailKeyOf(email) ?? '' }),
    ...(from || to
      ? { date_created: { ...(from ? { $gte: from } : {}), ...(to ? { $lte: to } : {}) } }
      : {}),
    ...(search ? containing(search) : {}),
  };
}
