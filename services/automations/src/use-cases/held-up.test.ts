import { testClock } from '@laurel/testing';
import type { HeldTrigger } from '../store/trigger-backlog';
import { createHeldUp } from './held-up';

const event = (id: string) =>
  ({ id, workspaceId: 'w', event: { subject: 'client' } }) as unknown as HeldTrigger;

test('an event keeps its place behind one that waits though the store was away as it came, and later ones come behind it', async () => {
  const waiting = new Set<string>();
  let isAway = false;
  const isWaiting = async (_workspaceId: string, id: string) => {
    if (isAway) throw new Error('the store is away');
    return waiting.has(id);
  };
  const clock = testClock();
  const heldUp = createHeldUp({ clock, triggerBacklog: { isWaiting } as never });
  const [first, second, third] = [event('1'), event('2'), event('3')] as const;
  heldUp.wait(first);
  isAway = true;
  await expect(heldUp.behind(second)).rejects.toThrow('the store is away');
  isAway = false;
  for (const each of ['1', '2', '3']) waiting.add(each);
  expect(await heldUp.behind(third)).not.toBeNull();
  waiting.delete('1');
  heldUp.over(first);
  expect(await heldUp.behind(third)).not.toBeNull();
  expect(await heldUp.behind(second)).toBeNull();
  waiting.delete('2');
  heldUp.over(second);
  expect(await heldUp.behind(third)).toBeNull();
});
