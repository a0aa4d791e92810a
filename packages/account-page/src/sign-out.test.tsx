/**
 * @jest-environment jsdom
 * @jest-environment-options {"customExportConditions": ["node", "require"]}
 */
import { Refused } from '@laurel/page-kit';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { type Account, type Page, PageContext } from './context';
import { LANGUAGES } from './language';
import { Welcome } from './views/welcome';

const ADA = { user: { id: 'u', email: 'ada@example.com', email_verified: true } } as Account;

test('a person whose sign-out failed hears that, and is still signed in', async () => {
  document.body.innerHTML = '<div id="app"></div>';
  const signOut = jest.fn().mockRejectedValueOnce(new Refused(0, 'UNREACHABLE'));
  const setAccount = jest.fn();
  const page = {
    language: await LANGUAGES.of('en'),
    session: { signOut, call: () => new Promise(() => undefined) },
    account: ADA,
    setAccount,
    go: () => undefined,
  } as unknown as Page;
  const place = document.querySelector('#app')!;
  await act(() =>
    render(
      <PageContext.Provider value={page}>
        <Welcome />
      </PageContext.Provider>,
      place,
    ),
  );
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
