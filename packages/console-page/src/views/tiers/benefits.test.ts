import { benefitsOf } from './benefits';

const LATTE = { id: 'latte', label: 'A latte', value: 3 };
const SEAT = { id: 'seat', label: 'A seat', value: true };

test('a benefit keeps its id and its value where lines are put in, taken out, moved and put right', () => {
  expect(benefitsOf('A latte\n\nA seat', [LATTE, SEAT])).toEqual([
    LATTE,
    { id: expect.stringMatching(/^benefit-/), label: '' },
    SEAT,
  ]);
  expect(benefitsOf('A seat', [LATTE, SEAT])).toEqual([SEAT]);
  expect(benefitsOf('A seat\nA latte', [LATTE, SEAT])).toEqual([SEAT, LATTE]);
  expect(benefitsOf('Two lattes\nA seat', [LATTE, SEAT])).toEqual([
    { ...LATTE, label: 'Two lattes' },
    SEAT,
  ]);
});
