import { newId } from './new-id';

afterEach(() => jest.restoreAllMocks());

test.each([90_000, 600_000])(
  'ids keep their order though the clock is set back by %s ms',
  (byMs) => {
    const { now } = Date;
    const ids = [newId()];
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + byMs);
    ids.push(newId(), newId());
    clock.mockImplementation(now);
    ids.push(newId(), newId());
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  },
);
