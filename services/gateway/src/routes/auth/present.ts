import type { identity } from '@laurel/rpc';

export const presentUser = ({
  id,
  email,
  first_name,
  last_name,
  date_created,
  email_verified,
}: identity.User) => ({
  id,
  email,
  first_name: first_name ?? null,
  last_name: last_name ?? null,
  date_created,
  email_verified,
});

export const presentSignedOn = ({ access_token, refresh_token, user }: identity.SignOnReply) => {
  const { date_created: _dateCreated, ...person } = presentUser(user!);
  return { access_token, refresh_token, user: person };
};
