import { createLanguage } from '@laurel/page-kit/language';
import { en } from '../words/en';
import { choicesOf, withStored } from './stored-choice';

const { say } = createLanguage('en-GB', en);
const CUPS = choicesOf([
  { id: 'a', name: 'Cup' },
  { id: 'b', name: 'Mug' },
]);

test('a field offers what is stored in it though it is not there any more, and names it by what is known', () => {
  expect(withStored(say, CUPS, 'beans')).toEqual([
    ...CUPS,
    { value: 'beans', label: 'Not there any more (beans)' },
  ]);
  const id = '0198f3a0-0000-7000-8000-9e1c433f1f43';
  expect(withStored(say, CUPS, id).at(-1)).toEqual({
    value: id,
    label: 'Not there any more (0198f3a0)',
  });
});

test('a field that holds several offers each of them once', () => {
  const values = withStored(say, CUPS, ['b', 'x', 'y']).map(({ value }) => value);
  expect(values).toEqual(['a', 'b', 'x', 'y']);
});

test('a field keeps what is stored while its choices are not known yet, and calls it by no wrong name', () => {
  expect(withStored(say, undefined, 'a')).toEqual([{ value: 'a', label: '…' }]);
});

test.each([['a'], [''], [null], [undefined], [[]]])(
  'a field that holds %j offers what there is and nothing else',
  (stored) => {
    expect(withStored(say, CUPS, stored)).toEqual(CUPS);
  },
);
