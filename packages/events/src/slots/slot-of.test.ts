import { newId } from '@laurel/lifecycle';
import { EVERY_SLOT, SLOT_HEADER, SLOTS, slotOf } from './slot-of';

describe('the slot of an event', () => {
  test('never changes: rows and queues of every release are named by it', () => {
    const workspaceid = '0190a0b0-0000-7000-8000-000000000001';
    const subjects = ['1', '2', '3', '0190a0b0-0000-7000-8000-0000000000aa'];
    expect(subjects.map((subject) => slotOf({ workspaceid, subject }))).toEqual([1, 4, 11, 11]);
    expect(slotOf({ subject: 'a user of no workspace' })).toBe(6);
    expect(SLOT_HEADER).toBe('laurel-slot');
  });

  test('is the same for all events of a client, and spreads clients about evenly', () => {
    const workspaceid = newId();
    const clients = Array.from({ length: 16_000 }, () => newId());
    const counts = new Map<number, number>();
    for (const subject of clients) {
      const slot = slotOf({ workspaceid, subject });
      expect(slotOf({ workspaceid, subject })).toBe(slot);
      counts.set(slot, (counts.get(slot) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((one, other) => one - other)).toEqual(EVERY_SLOT);
    const even = clients.length / SLOTS;
    for (const count of counts.values()) expect(Math.abs(count - even)).toBeLessThan(even / 4);
  });
});
