/** @jest-environment jsdom */
import { html, render } from '../vendor/preact.js';
import { Picture } from './picture.ts';

beforeEach(() => {
  jest.useFakeTimers();
  document.body.innerHTML = '<div id="app"></div>';
});
afterEach(() => jest.useRealTimers());

const app = () => document.querySelector('#app')!;
const picture = () => document.querySelector('img');
const settled = () => jest.advanceTimersByTimeAsync(200);
const show = async (name: string) => {
  const reward = { name: 'Coffee', image_url: `https://shop.example/${name}.png` };
  render(html`<${Picture} reward=${reward} />`, app());
  await settled();
};
const fail = async () => {
  picture()!.dispatchEvent(new Event('error'));
  await settled();
  expect([picture(), app().textContent]).toEqual([null, 'C']);
};

test('a picture that cannot be had at first is asked for again, twice, and then given up', async () => {
  await show('busy');
  await fail();
  await jest.advanceTimersByTimeAsync(3_000);
  await fail();
  await jest.advanceTimersByTimeAsync(8_000);
  expect(picture()).toBeNull();
  await jest.advanceTimersByTimeAsync(1_000);
  await fail();
  await jest.advanceTimersByTimeAsync(3_600_000);
  expect(picture()).toBeNull();
});

test('a reward that is shown again asks no sooner for a picture that could not be had', async () => {
  await show('elsewhere');
  await fail();
  render(html``, app());
  await show('elsewhere');
  expect(picture()).toBeNull();
  await jest.advanceTimersByTimeAsync(3_000);
  expect(picture()?.src).toBe('https://shop.example/elsewhere.png');
});
