/**
 * @jest-environment jsdom
 * @jest-environment-options {"customExportConditions": ["node", "require"]}
 */
import { Refused } from '@laurel/page-kit';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { showWelcome } from './testing/show-welcome';

test('a person whose sign-out failed hears that, and is still signed in', async () => {
  const signOut = jest.fn().mockRejectedValueOnce(new Refused(0, 'UNREACHABLE'));
  const setAccount = jest.fn();
  const session = { signOut, call: () => new Promise(() => undefined) };
  const place = await showWelcome({ session, setAccount });
  const press = async () => {
    const buttons = [...place.querySelectorAll('button')];
    await act(() => buttons.find(({ textContent }) => textContent === 'Sign out')!.click());
    // Whatever follows from it by itself has followed.
    for (let turn = 0; turn < 10; turn += 1) await act(async () => undefined);
  };
  await press();
  expect(place.querySelector('[role=alert]')?.textContent).toContain('No connection');
  expect(setAccount).not.toHaveBeenCalled();
  await press();
  expect(setAccount).toHaveBeenCalledWith(null);
  render(null, place);
});
