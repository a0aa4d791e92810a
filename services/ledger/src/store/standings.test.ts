import { platform } from '@laurel/errors';
import { currentContext, runInContext, systemContext } from '@laurel/lifecycle';
import type { clients } from '@laurel/rpc';
import { createStandings } from './standings';

function fakeClients(known: Record<string, string>) {
  const asked: string[][] = [];
  let down = false;
  return {
    asked,
    known,
    goDown: () => {
      down = true;
    },
    async GetClients({ ids }: clients.ClientIds): Promise<clients.ClientList> {
      const { deadlineAt = Number.POSITIVE_INFINITY } = currentContext();
      if (down || deadlineAt < Date.now()) throw platform.serviceUnavailable();
      asked.push(ids);
      const found = ids.filter((id) => id in known);
      return { clients: found.map((id) => ({ id, status: known[id] }) as clients.Client) };
    },
    async ListSuccessors({ ids }: clients.ClientIds): Promise<clients.Successors> {
      return { successors: ids.map((id) => ({ id, current_id: `after ${id}` })) };
    },
  };
}

describe('standings', () => {
  test('an unknown client is null; everybody else is as the clients service says at this moment', async () => {
    const service = fakeClients({ a: 'active', b: 'anonymized' });
    const standings = createStandings(service);
    expect(await standings.of('w', 'a')).toBe('active');
    expect(await standings.of('w', 'b')).toBe('anonymized');
    expect(await standings.of('w', 'c')).toBeNull();
    service.known.a = 'anonymized';
    expect(await standings.of('w', 'a')).toBe('anonymized');
  });

  test('those who ask together share a call', async () => {
    const service = fakeClients({ a: 'active', b: 'active' });
    const standings = createStandings(service);
    await standings.of('w', 'a');
    await Promise.all(['a', 'b', 'a'].map((id) => standings.of('w', id)));
    expect(service.asked).toEqual([['a'], ['a', 'b']]);
  });

  test('one whose time is over does not end the question for those who share it', async () => {
    const service = fakeClients({ a: 'active', b: 'active' });
    const standings = createStandings(service);
    const late = runInContext(systemContext({ deadlineAt: Date.now() - 1 }), () =>
      standings.of('w', 'a'),
    );
    expect(await Promise.all([late, standings.of('w', 'b')])).toEqual(['active', 'active']);
    expect(service.asked).toEqual([['a', 'b']]);
  });

  test('while the clients service is away, a client who was never asked for takes nothing from those who were', async () => {
    const service = fakeClients({ a: 'active', b: 'active' });
    const standings = createStandings(service);
    await standings.of('w', 'a');
    service.goDown();
    const [known, unknown, elsewhere] = await Promise.allSettled([
      standings.of('w', 'a'),
      standings.of('w', 'b'),
      standings.of('other', 'c'),
    ]);
    expect(known).toEqual({ status: 'fulfilled', value: 'active' });
    expect([unknown.status, elsewhere.status]).toEqual(['rejected', 'rejected']);
  });

  test('whom a client became by a merge the clients service says', async () => {
    const standings = createStandings(fakeClients({}));
    expect(await standings.successors('w', ['a'])).toEqual(new Map([['a', 'after a']]));
    expect(await standings.successors('w', [])).toEqual(new Map());
  });

  test('gone is gone, and not asked about', async () => {
    const service = fakeClients({ a: 'active' });
    const standings = createStandings(service);
    standings.gone('a', null);
    expect(await standings.of('w', 'a')).toBeNull();
    expect(service.asked).toEqual([]);
  });

  test('while the clients service is away, what it last said holds for five minutes', async () => {
    let now = 0;
    const service = fakeClients({ a: 'active' });
    const standings = createStandings(service, () => now);
    await standings.of('w', 'a');
    service.goDown();
    expect(await standings.of('w', 'a')).toBe('active');
    await expect(standings.of('w', 'new')).rejects.toMatchObject({ httpStatus: 503 });
    now = 300_001;
    await expect(standings.of('w', 'a')).rejects.toMatchObject({ httpStatus: 503 });
  });
});
