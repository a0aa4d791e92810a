/** How a person is called towards others: the name, else the address. */
export function displayName(person: {
  email: string;
  first_name: string | null;
  last_name: string | null;
}): string {
  const name = [person.first_name, person.last_name].filter((part) => part).join(' ');
  return name === '' ? person.email : name;
}
