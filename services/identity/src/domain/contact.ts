/** What an e-mail address is compared by (part 3, section 16), however its accents are encoded. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** How a person is called towards others: the name, else the address. */
export function displayName(person: {
  email: string;
  first_name: string | null;
  last_name: string | null;
}): string {
  const name = [person.first_name, person.last_name].filter((part) => part).join(' ');
  return name === '' ? person.email : name;
}
