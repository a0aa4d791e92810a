/**
 * @jest-environment jsdom
 * @jest-environment-options {"customExportConditions": ["node", "require"]}
 */
import { render } from 'preact';
import { App } from './app';
import { LANGUAGES } from './language';
import type { Wish } from './queue/machine';
import type { WishStore } from './queue/store';

const wishOf = (key: string, state: Wish['state']): Wish => ({
  key,
  code: 'card',
  name: null,
  passId: null,
  actionId: 'action',
  title: 'Purchase',
  data: {},
  at: Date.now(),
  mayWait: true,
  state,
});
const storeOf = (...wishes: Wish[]): WishStore => ({
  all: async () => wishes,
  put: async () => undefined,
  remove: async () => undefined,
  replace: async () => false,
});

test('a phone that must be paired again promises to send what waits, and nothing that was refused', async () => {
  document.body.innerHTML = '<div id="app"></div>';
  localStorage.clear();
  Object.assign(globalThis, { BroadcastChannel: undefined });
  const store = storeOf(wishOf('a', 'waiting'), wishOf('b', 'refused'), wishOf('c', 'unsure'));
  const language = await LANGUAGES.of('en');
  const place = document.querySelector('#app')!;
  const isPairing = new Promise<void>((resolve) => {
    new MutationObserver(() => {
      if (place.querySelector('.notice')) resolve();
    }).observe(place, { subtree: true, childList: true });
  });
  render(<App language={language} store={store} pairing={null} />, place);
  await isPairing;
  expect(place.textContent).toContain('1 entry waits and is sent');
  render(null, place);
});
