/**
 * @jest-environment jsdom
 * @jest-environment-options {"customExportConditions": ["node", "require"]}
 */
import { Refused } from '@laurel/page-kit';
import { render } from 'preact';
import { type Till, TillContext } from '../context';
import { LANGUAGES } from '../language';
import { SignUp } from './sign-up';

test('the same person is the same wish while an answer is owed, and another once it was refused', async () => {
  document.body.innerHTML = '<div id="app"></div>';
  const place = document.querySelector('#app')!;
  const keys: string[] = [];
  const answers = [new Refused(0, 'UNREACHABLE'), new Refused(400, 'INVALID_PAYLOAD')];
  const signUp = (_person: object, key: string) => {
    keys.push(key);
    return Promise.reject(answers[keys.length - 1] ?? new Refused(0, 'UNREACHABLE'));
  };
  const till = {
    language: await LANGUAGES.of('en'),
    api: { signUp },
    app: { config: { app_config: {}, hidden_fields: null }, actions: [], wallet_types: [] },
  } as unknown as Till;
  const nothing = () => undefined;
  render(
    <TillContext.Provider value={till}>
      <SignUp onServe={nothing} onBack={nothing} />
    </TillContext.Provider>,
    place,
  );
  const form = place.querySelector('form')!;
  form.querySelector<HTMLInputElement>('[name=first_name]')!.value = 'Ada';
  const isIdle = () => place.querySelector('button[aria-busy]') === null;
  for (const count of [1, 2, 3]) {
    form.requestSubmit();
    await new Promise<void>((resolve) => {
      const look = () => keys.length === count && isIdle() && resolve();
      new MutationObserver(look).observe(place, {
        subtree: true,
        childList: true,
        attributes: true,
      });
    });
  }
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
  render(null, place);
});
