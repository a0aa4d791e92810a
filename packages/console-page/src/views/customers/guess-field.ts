import { customFieldPath } from '@laurel/contract';
import type { FIELDS } from './fields';

/** How other systems head their columns, in the languages of the console; compared without case, spaces and marks. */
const HEADS: Readonly<Record<(typeof FIELDS)[number], readonly string[]>> = {
  first_name: ['firstname', 'forename', 'givenname', 'vorname', 'prenom', 'nombre', 'imie'],
  last_name: ['lastname', 'surname', 'familyname', 'nachname', 'nom', 'apellido', 'nazwisko'],
  email: ['email', 'mail', 'emailaddress', 'emailadresse', 'courriel', 'correo', 'adresemail'],
  phone: ['phone', 'phonenumber', 'mobile', 'telefon', 'handy', 'telephone', 'telefono', 'movil'],
  birth_date: ['birthdate', 'birthday', 'dateofbirth', 'geburtsdatum', 'geburtstag', 'naissance'],
  marketing_consent: ['consent', 'newsletter', 'marketing', 'einwilligung'],
  loyalty_program_enabled: ['loyalty', 'member', 'enrolled', 'teilnahme'],
};

/** The field that a column of somebody else's file most likely is; null where nothing is like it. */
export function guessField(column: string, ownFields: readonly string[]): string | null {
  const bare = bareOf(column);
  const own = ownFields.find((field) => bareOf(field) === bare);
  if (own) return customFieldPath(own);
  const found = Object.entries(HEADS).find(([field, heads]) =>
    [bareOf(field), ...heads].includes(bare),
  );
  return found ? found[0] : null;
}

const bareOf = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
