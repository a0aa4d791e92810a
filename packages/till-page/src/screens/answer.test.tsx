/**
 * @jest-environment jsdom
 * @jest-environment-options {"customExportConditions": ["node", "require"]}
 */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { type Till, TillContext } from '../context';
import { LANGUAGES } from '../language';
import type { FormField } from '../shapes';
import { Answer } from './answer';

test('a question shows every choice there is, whatever kind of value it is', async () => {
  const till = { language: await LANGUAGES.of('en') } as Till;
  const options = ['S', 39.5, true, { value: 4, label: 'Four' }, { value: 'x' }, { label: 'M' }];
  const broken = [null, {}, { value: null }] as unknown as typeof options;
  const field: FormField = {
    name: 'size',
    label: 'Size',
    type: 'select',
    required: true,
    options: [...broken, ...options],
  };
  await act(() =>
    render(
      <TillContext.Provider value={till}>
        <Answer field={field} />
      </TillContext.Provider>,
      document.body,
    ),
  );
  const shown = [...document.querySelectorAll('option')].map(({ value, text }) => [value, text]);
  expect(shown).toEqual([
    ['S', 'S'],
    ['39.5', '39.5'],
    ['true', 'true'],
    ['4', 'Four'],
    ['x', 'x'],
    ['M', 'M'],
  ]);
});
