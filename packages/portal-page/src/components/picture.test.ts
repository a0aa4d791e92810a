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

test('a picture that is shown twice at once is asked for as often as one that is shown once', async () => {
  const pictures = () => [...document.querySelectorAll('img')];
  const reward = { name: 'Coffee', image_url: 'https://shop.example/twice.png' };
  render(html`<${Picture} reward=${reward} /><${Picture} reward=${reward} />`, app());
  await settled();
  for (const waitMs of [3_000, 9_000, 3_600_000]) {
    expect(pictures()).toHaveLength(2);
    for (const one of pictures()) one.dispatchEvent(new Event('error'));
    await settled();
    expect(pictures()).toEqual([]);
    await jest.advanceTimersByTimeAsync(waitMs);
  }
  expect(pictures()).toEqual([]);
});

test('a picture that came after all is asked for afresh where it fails later', async () => {
  await show('late');
  for (const waitMs of [3_000, 9_000]) {
    await fail();
    await jest.advanceTimersByTimeAsync(waitMs);
  }
  picture()!.dispatchEvent(new Event('load'));
  render(html``, app());
  await show('late');
  await fail();
  await jest.advanceTimersByTimeAsync(3_000);
  expect(picture()?.src).toBe('https://shop.example/late.png');
});
