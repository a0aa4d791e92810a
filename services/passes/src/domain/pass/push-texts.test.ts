import { NO_TEXTS, nextTexts, type PushTexts, shownText, textsOf, withText } from './push-texts';

const NONE: PushTexts = { ...NO_TEXTS, notification_count: 0, notification_repeat: 0 };
const sent = (texts: readonly string[], before = NONE): PushTexts => texts.reduce(withText, before);
const kept = (texts: PushTexts) => textsOf(texts).map(({ text }) => text);
const after = (texts: PushTexts, apple: number, google = apple): PushTexts => ({
  ...texts,
  ...nextTexts(texts, { apple, google }),
});

test('of texts that are sent before phones have heard any the first is shown, and all are kept', () => {
  const texts = sent(['A', 'B', 'A']);
  expect(shownText(texts)).toMatchObject({ text: 'A', count: 1 });
  expect(kept(texts)).toEqual(['A', 'B', 'A']);
  expect(texts).toMatchObject({ notification: 'A', notification_count: 3 });
});

test('phones are shown one text after the other as they hear them, and the last one stays', () => {
  let texts = sent(['A', 'B', 'C']);
  const shown: string[] = [];
  for (let heard = 0; heard <= 4; heard += 1) {
    texts = after(texts, heard);
    shown.push(shownText(texts)!.text);
  }
  expect(shown).toEqual(['A', 'B', 'C', 'C', 'C']);
  expect(texts).toMatchObject({ notification_queue: [], notification_shown: null });
});

test('a text that phones have heard is shown until the next push, which goes on to the one that came since', () => {
  const texts = sent(['B'], after(sent(['A']), 1));
  expect(shownText(texts)?.text).toBe('A');
  expect(shownText(after(texts, 1))?.text).toBe('B');
});

test('a text is another one than the same of before, whatever was between them', () => {
  const repeats = textsOf(sent(['A', 'B', 'A', 'A'])).map(({ repeat }) => repeat);
  expect(new Set(repeats).size).toBe(4);
});

test('what one wallet has yet to hear stays, though the other has heard it and shows a later one', () => {
  const texts = after(sent(['A', 'B', 'C']), 2, 0);
  expect(shownText(texts)?.text).toBe('C');
  expect(kept(texts)).toEqual(['A', 'B', 'C']);
  const later = sent(['D'], after(texts, 3, 0));
  expect(shownText(later)?.text).toBe('C');
  expect(kept(after(later, 3, 1))).toEqual(['B', 'C', 'D']);
});

test('a wallet that is ahead keeps no text that both have heard', () => {
  const texts = after(sent(['A', 'B', 'C']), 1, 3);
  expect(shownText(texts)?.text).toBe('B');
  expect(kept(texts)).toEqual(['B', 'C']);
});

test('of more than ten that wait the oldest goes, and the one that is shown stays', () => {
  const names = Array.from({ length: 13 }, (_, at) => String(at + 1));
  const texts = sent(names);
  expect(shownText(texts)?.text).toBe('1');
  expect(kept(texts)).toEqual(['1', ...names.slice(3)]);
});

test('nothing changes where no text waits', () => {
  expect(nextTexts(sent(['A']), { apple: 0, google: 0 })).toBeNull();
  expect(nextTexts(sent(['A', 'B']), { apple: 0, google: 0 })).toBeNull();
  expect(nextTexts(NONE, { apple: 0, google: 0 })).toBeNull();
  expect(shownText(NONE)).toBeNull();
});

test('the text of a pass from before its texts were kept does not wait', () => {
  const old: PushTexts = { ...sent(['A']), notification_queue: null };
  expect(shownText(old)?.text).toBe('A');
  expect(nextTexts(old, { apple: 0, google: 0 })).toBeNull();
  const texts = sent(['B'], old);
  expect(shownText(texts)?.text).toBe('B');
  expect(kept(texts)).toEqual(['B']);
});

test('a pass of a preview, which has no counts, shows its text', () => {
  expect(shownText({ notification: 'A' })).toMatchObject({ text: 'A', repeat: 0 });
});

test('a text of before the queue is drawn as it was then, and the next one as another', () => {
  const former = { ...NONE, notification: 'A', notification_queue: null };
  for (let repeat = 0; repeat < 200; repeat += 1) {
    const kept = { ...former, notification_count: repeat + 1, notification_repeat: repeat };
    expect(shownText(kept)).toEqual({ text: 'A', count: repeat + 1, repeat: repeat % 8 });
    const next = sent(['A'], kept);
    expect(textsOf(next).map(({ repeat: marks }) => marks % 64)).not.toContain(repeat % 8);
  }
});

describe('of texts that wait while a replica of the release before changes the pass', () => {
  const waiting = sent(['A', 'B']);

  test('none is shown after one that it sends', () => {
    const sentByIt = { ...waiting, notification: 'C', notification_count: 3 };
    expect(shownText(sentByIt)?.text).toBe('C');
    expect(kept(sent(['D'], sentByIt))).toEqual(['C', 'D']);
    expect(kept(after(sentByIt, 1))).toEqual(['C']);
    expect(after(sentByIt, 1)).toMatchObject({ notification_queue: [], notification_shown: null });
  });

  test('none is shown once it gave the pass to another client, or took the text away', () => {
    const takenByIt = { ...waiting, notification: null };
    expect(shownText(takenByIt)).toBeNull();
    expect(after(takenByIt, 0)).toMatchObject({ notification_queue: [], notification_shown: null });
    const sentByIt = { ...takenByIt, notification: 'Hello', notification_count: 3 };
    expect(kept(sentByIt)).toEqual(['Hello']);
    expect(kept(sent(['Again'], takenByIt))).toEqual(['Again']);
  });
});
