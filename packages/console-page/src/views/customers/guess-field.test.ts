import { guessField } from './guess-field';

test('columns of other systems are taken for the fields that they are like, and no others', () => {
  const guess = (column: string) => guessField(column, ['shoe_size']);
  expect(['E-Mail', 'Prénom', 'Nachname', 'Date of birth', 'Imię'].map(guess)).toEqual([
    'email',
    'first_name',
    'last_name',
    'birth_date',
    'first_name',
  ]);
  expect(guess('Shoe size')).toBe('custom_fields.shoe_size');
  expect(guess('Notes')).toBeNull();
});
