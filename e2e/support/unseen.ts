import type { Page } from 'playwright-core';

/** What has the focus within the page and does not show it, or stands under something else with all of it. */
const UNSEEN = `(() => {
  const at = document.activeElement;
  if (!at.matches('main *') || at.matches('h1')) return [];
  const name = at.tagName + ' ' + (at.getAttribute('aria-label') ?? at.textContent);
  const marks = at.matches('[type=checkbox]') || getComputedStyle(at).outlineStyle !== 'none';
  const { left, top, right, bottom, width } = at.getBoundingClientRect();
  const places = [[left + width / 2, top + 4], [left + width / 2, bottom - 4], [left + 4, top + 4], [right - 4, bottom - 4]];
  const isOn = (found) => found && (at.contains(found) || found.contains(at) || found.closest('label')?.htmlFor === at.id);
  const shows = places.some(([x, y]) => isOn(document.elementFromPoint(x, y)));
  return [...(marks ? [] : ['no mark: ' + name]), ...(shows ? [] : ['covered: ' + name])];
})()`;

/** What is left of a laptop's screen at twice its size. */
const LOW = { width: 640, height: 450 };
const STEPS = 30;

/** What the keyboard reaches in a low window, on the way there and back, without it being seen. */
export async function unseenByKeyboard(page: Page): Promise<string[]> {
  await page.setViewportSize(LOW);
  const unseen: string[] = [];
  for (const key of [...Array(STEPS).fill('Tab'), ...Array(STEPS).fill('Shift+Tab')]) {
    await page.keyboard.press(key);
    unseen.push(...(await page.evaluate<string[]>(UNSEEN)));
  }
  return unseen;
}
