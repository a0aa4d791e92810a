import { runInContext, systemContext } from '@laurel/lifecycle';
import type { ClientAnonymized } from './catalogue/clients';
import { checkData, contextOf, createEvent, InvalidEvent, Poison, parseEnvelope } from './envelope';

const workspaceId = '0198f3a0-0000-7000-8000-000000000001';
const clientId = '0198f3a0-0000-7000-8000-000000000003';

function anonymized(data: ClientAnonymized = { client_id: clientId }) {
  return createEvent('clients.anonymized', { workspaceId, subject: clientId, data });
}

function poisonOf(read: () => unknown): Poison {
  try {
    read();
  } catch (error) {
    if (error instanceof Poison) return error;
  }
  throw new Error('it was accepted');
}

describe('an event', () => {
  test('carries the ids of the work that made it', () => {
    const context = systemContext({
      requestId: 'r-1',
      correlationId: 'c-1',
      causationId: 'e-0',
      actor: { type: 'user', id: 'u-1', email: 'ada@example.com' },
      chain: ['rule-1', 'rule-2'],
      depth: 2,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    const event = runInContext(context, () => anonymized());
    expect(event).toMatchObject({
      specversion: '1.0',
      source: '/laurel/clients',
      type: 'clients.anonymized',
      subject: clientId,
      dataversion: 1,
      workspaceid: workspaceId,
      requestid: 'r-1',
      correlationid: 'c-1',
      causationid: 'e-0',
      chain: 'rule-1,rule-2',
      depth: 2,
      actortype: 'user',
      actorid: 'u-1',
      traceparent: context.traceparent,
    });
    expect(JSON.stringify(event)).not.toContain('ada@example.com');
  });

  test('uses only attribute names that CloudEvents allows, and no null', () => {
    for (const [name, value] of Object.entries(anonymized())) {
      expect(name).toMatch(/^[a-z0-9]+$/);
      expect(value).not.toBeNull();
    }
  });

  test('is handled in a context that names it as cause and keeps request, correlation, chain and depth', () => {
    const made = systemContext({
      requestId: 'r-1',
      correlationId: 'c-1',
      chain: ['rule-1'],
      depth: 1,
    });
    const event = runInContext(made, () => anonymized());
    const context = contextOf(parseEnvelope(Buffer.from(JSON.stringify(event))));
    expect(context).toMatchObject({
      requestId: 'r-1',
      correlationId: 'c-1',
      chain: ['rule-1'],
      depth: 1,
      workspaceId,
      causationId: event.id,
      operationId: event.id,
    });
    expect(runInContext(context, () => anonymized()).causationid).toBe(event.id);
  });

  test('is refused when its data is not what the catalogue says', () => {
    const wrong = { client_id: clientId, surprise: true } as ClientAnonymized;
    expect(() => anonymized(wrong)).toThrow(InvalidEvent);
    expect(() => anonymized({ client_id: 'not-an-id' })).toThrow(/client_id/);
  });
});

describe('a message', () => {
  const read = (change: object) => {
    const event = parseEnvelope(Buffer.from(JSON.stringify({ ...anonymized(), ...change })));
    return checkData(event);
  };

  test('that is no JSON, or no event, is poison', () => {
    expect(poisonOf(() => parseEnvelope(Buffer.from('{'))).reason).toBe('invalid_json');
    expect(poisonOf(() => parseEnvelope(Buffer.from('[]'))).reason).toBe('invalid_envelope');
    expect(poisonOf(() => read({ id: 7 })).reason).toBe('invalid_envelope');
    expect(poisonOf(() => read({ workspaceid: null })).reason).toBe('invalid_envelope');
    expect(poisonOf(() => read({ depth: -1 })).reason).toBe('invalid_envelope');
  });

  test('of a version or type from the future is poison', () => {
    expect(poisonOf(() => read({ dataversion: 2 })).reason).toBe('unknown_version');
    expect(poisonOf(() => read({ type: 'clients.teleported' })).reason).toBe('unknown_type');
  });

  test('that names no workspace is poison, but for what is about a user across workspaces', () => {
    expect(poisonOf(() => read({ workspaceid: undefined })).reason).toBe('invalid_envelope');
    const data = { user_id: clientId, revoked_at: '2026-05-04T10:15:30.000Z' };
    const ofUser = { type: 'identity.user_sessions_revoked', workspaceid: undefined, data };
    expect(read(ofUser).type).toBe('identity.user_sessions_revoked');
  });

  test('with data that lacks something is poison; with data that has more is fine', () => {
    expect(poisonOf(() => read({ data: {} })).reason).toBe('invalid_data');
    expect(read({ data: { client_id: clientId, added_later: 1 } }).type).toBe('clients.anonymized');
  });
});
