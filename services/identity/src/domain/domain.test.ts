import fc from 'fast-check';
import { countMail, TO_ONE_ADDRESS } from './mail-limits';
import { digestCode, isSameDigest, newCode } from './one-time-code';
import { requireGoodPassword } from './password';
import { rolesOf } from './roles';
import { slugFrom, slugWithSuffix } from './slug';

const SLUG = /^[a-z0-9-]{3,63}$/;

describe('a slug', () => {
  test('is well-formed whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 255, unit: 'grapheme' }), (name) => {
        expect(slugFrom(name)).toMatch(SLUG);
        expect(slugWithSuffix(slugFrom(name), 'a1b2c3d4')).toMatch(SLUG);
      }),
    );
  });

  test.each([
    ['Café Łódź & Söhne', 'cafe-lodz-sohne'],
    ['  Coffee   Corner  ', 'coffee-corner'],
    ['A', 'workspace-a'],
    ['北京', 'workspace'],
  ])('of %j is %s', (name, slug) => {
    expect(slugFrom(name)).toBe(slug);
  });
});

describe('a password', () => {
  test.each([
    'short',
    'nine-char',
    '1234567890',
    'PASSWORD123',
    'qwertyuiop',
    'aaaaaaaaaaaa',
    '0987654321',
  ])('like %s is refused', (password) => {
    expect(() => requireGoodPassword(password)).toThrow(
      expect.objectContaining({ code: 'INVALID_PAYLOAD' }),
    );
  });

  test.each(['correct horse battery staple', 'Tr0ub4dor&3x', 'zażółć gęślą'])(
    'like %s is fine',
    (password) => {
      expect(() => requireGoodPassword(password)).not.toThrow();
    },
  );

  test('is measured in characters, not in bytes', () => {
    expect(() => requireGoodPassword('🔑🔒🗝️🛡️')).toThrow();
  });
});

describe('roles', () => {
  const workspaceId = '0198f3a0-0000-7000-8000-000000000001';

  test('have ids that follow from workspace and name', () => {
    const ids = rolesOf(workspaceId).map(({ id }) => id);
    expect(rolesOf(workspaceId).map(({ id }) => id)).toEqual(ids);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(rolesOf(workspaceId.replace('1', '2'))[0]!.id).not.toBe(ids[0]);
  });

  test('let members do everything but what is the admins’', () => {
    const [admin, member] = rolesOf(workspaceId);
    const more = admin!.permissions.filter((each) => !member!.permissions.includes(each));
    expect(more.sort()).toEqual([
      'invite_users',
      'manage_members',
      'manage_settings',
      'manage_workspace',
      'read_audit_log',
      'remove_members',
    ]);
    expect(admin!.permissions).toEqual(expect.arrayContaining(member!.permissions));
  });
});

describe('a pairing code', () => {
  test('has six digits', () => {
    for (let count = 0; count < 200; count += 1) expect(newCode()).toMatch(/^\d{6}$/);
  });

  test('differs by key, user and code', () => {
    const digest = digestCode('key', 'user', '123456');
    expect(isSameDigest(digest, digestCode('key', 'user', '123456'))).toBe(true);
    for (const other of [
      digestCode('other', 'user', '123456'),
      digestCode('key', 'other', '123456'),
      digestCode('key', 'user', '123457'),
    ])
      expect(isSameDigest(digest, other)).toBe(false);
  });

  test('may be made five times within any hour', () => {
    const minutes = fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 60 });
    fc.assert(
      fc.property(minutes, (pauses) => {
        let madeAt: Date[] = [];
        const given: number[] = [];
        let now = 0;
        for (const pause of pauses) {
          now += pause * 60_000;
          const count = countMail(madeAt, TO_ONE_ADDRESS, new Date(now));
          if ('retryAfterSeconds' in count) {
            expect(count.retryAfterSeconds).toBeGreaterThan(0);
            continue;
          }
          madeAt = count.madeAt;
          given.push(now);
        }
        for (const start of given)
          expect(
            given.filter((at) => at >= start && at < start + 3_600_000).length,
          ).toBeLessThanOrEqual(5);
      }),
    );
  });
});
