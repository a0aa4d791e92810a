import { render } from 'preact';
import { act } from 'preact/test-utils';
import { type Account, type Page, PageContext } from '../context';
import { LANGUAGES } from '../language';
import { Welcome } from '../views/welcome';

/** Shows the page of somebody who is signed in, in English. @returns where it stands */
export async function showWelcome(page: {
  session: object;
  setAccount?: (account: Account | null) => void;
}): Promise<Element> {
  const whole = {
    setAccount: () => undefined,
    ...page,
    language: await LANGUAGES.of('en'),
    account: { user: { id: 'u', email: 'ada@example.com', email_verified: true } } as Account,
    go: () => undefined,
  } as unknown as Page;
  document.body.innerHTML = '<div id="app"></div>';
  const place = document.querySelector('#app')!;
  await act(() =>
    render(
      <PageContext.Provider value={whole}>
        <Welcome />
      </PageContext.Provider>,
      place,
    ),
  );
  return place;
}
