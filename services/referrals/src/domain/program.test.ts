import {
  COMPLETION_CRITERIA,
  newProgram,
  type Program,
  type ProgramFields,
  replaceProgram,
  sinceEver,
  wasDisabledAt,
  wasEnabledAt,
} from './program';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 15, 10, minute));
const fields: ProgramFields = {
  enabled: true,
  completion_criteria: 'first_transaction',
  distribution_id: null,
  pending_expiry_days: 30,
  max_referrals_per_referrer: 5,
};
const made = { id: 'p', workspaceId: 'w', now: at(10) };
const off = { ...fields, enabled: false };

describe('a referral program', () => {
  test('was on from the moment it was switched on', () => {
    const program = newProgram(made, fields);
    expect(wasEnabledAt(program, at(9))).toBe(false);
    expect(wasEnabledAt(program, at(10))).toBe(true);
    expect(wasEnabledAt(program, at(50))).toBe(true);
  });

  test('was never on when it was only ever off', () => {
    expect(wasEnabledAt(newProgram(made, off), at(20))).toBe(false);
  });

  test('counts late news from while it was on, and never news from while it was off', () => {
    const disabled = replaceProgram(newProgram(made, fields), off, at(20));
    expect(wasEnabledAt(disabled, at(19))).toBe(true);
    expect(wasEnabledAt(disabled, at(20))).toBe(false);
    const again = replaceProgram(disabled, fields, at(30));
    expect(wasEnabledAt(again, at(25))).toBe(false);
    expect(wasEnabledAt(again, at(31))).toBe(true);
  });

  test('remembers each time that it was switched, not the last alone', () => {
    const writes = [off, fields, off, fields].entries();
    const program = [...writes].reduce(
      (before, [index, write]) => replaceProgram(before, write, at(20 + 10 * index)),
      newProgram(made, fields),
    );
    const minutes = [10, 19, 20, 29, 30, 39, 40, 49, 50];
    const states = [true, true, false, false, true, true, false, false, true];
    expect(minutes.map((minute) => wasEnabledAt(program, at(minute)))).toEqual(states);
    expect(minutes.map((minute) => wasDisabledAt(program, at(minute)))).toEqual(
      states.map((on) => !on),
    );
    expect(wasDisabledAt(program, at(9))).toBe(false);
  });

  test('knows what the release before noted of switches, which is the last on and the last off', () => {
    const { switches: _unknown, ...before } = replaceProgram(newProgram(made, fields), off, at(20));
    const states = (program: Program) =>
      [9, 10, 20, 30].map((minute) => wasEnabledAt(program, at(minute)));
    expect(states(before)).toEqual([false, true, false, false]);
    const again = { ...before, enabled: true, enabled_at: at(30) };
    expect(states(again)).toEqual([false, false, false, true]);
    expect(wasDisabledAt(again, at(29))).toBe(true);
    const both = { ...replaceProgram(before, fields, at(30)), enabled: false, disabled_at: at(40) };
    expect(wasEnabledAt(both, at(39))).toBe(true);
    expect(wasEnabledAt(both, at(40))).toBe(false);
    expect(wasEnabledAt(replaceProgram(both, fields, at(50)), at(45))).toBe(false);
  });

  test('remembers so many switches, and that it was off before them', () => {
    let program = newProgram(made, fields);
    for (let second = 1; second <= 300; second += 1)
      program = replaceProgram(
        program,
        { ...fields, enabled: second % 2 === 0 },
        new Date(at(20).getTime() + second * 1_000),
      );
    expect(program.switches).toHaveLength(100);
    expect(wasEnabledAt(program, at(30))).toBe(true);
    expect(wasEnabledAt(program, at(15))).toBe(false);
  });

  test('stays on since the first time when it is written again', () => {
    const program = newProgram(made, fields);
    const written = replaceProgram(program, { ...fields, pending_expiry_days: null }, at(20));
    expect(written.enabled_at).toEqual(at(10));
    expect(written.pending_expiry_days).toBeNull();
    expect(written.date_created).toEqual(at(10));
    expect(written.date_updated).toEqual(at(20));
  });

  test('remembers when it was last switched on and off, and what else a write says', () => {
    const kept = { id: 'p', workspace_id: 'w', date_created: at(10) };
    const program = newProgram(made, fields);
    expect(program).toEqual({
      ...kept,
      ...fields,
      enabled_at: at(10),
      disabled_at: null,
      switches: [{ at: at(10), on: true }],
      date_updated: at(10),
    });
    const disabled = replaceProgram(program, { ...off, max_referrals_per_referrer: 9 }, at(20));
    expect(disabled).toEqual({
      ...kept,
      ...off,
      max_referrals_per_referrer: 9,
      enabled_at: at(10),
      disabled_at: at(20),
      switches: [
        { at: at(10), on: true },
        { at: at(20), on: false },
      ],
      date_updated: at(20),
    });
    const again = replaceProgram(disabled, off, at(25));
    expect(again).toMatchObject({ disabled_at: at(20), date_updated: at(25) });
    expect(replaceProgram(again, fields, at(30))).toMatchObject({
      enabled_at: at(30),
      disabled_at: at(20),
    });
    expect(newProgram(made, off)).toMatchObject({
      enabled_at: null,
      disabled_at: at(10),
    });
  });

  test('that is off was never on without a moment of being switched off', () => {
    const odd = { ...newProgram(made, fields), enabled: false };
    expect(wasEnabledAt(odd, at(20))).toBe(false);
  });

  test('that a workspace begins with was ever as it is, whatever clock its switches went by, and is switched from then on', () => {
    const ahead = replaceProgram(newProgram({ ...made, now: at(500) }, off), fields, at(600));
    const begun = sinceEver(ahead);
    expect([9, 550, 700].map((minute) => wasEnabledAt(begun, at(minute)))).toEqual([
      true,
      true,
      true,
    ]);
    const paused = replaceProgram(begun, off, at(20));
    expect([19, 20, 700].map((minute) => wasEnabledAt(paused, at(minute)))).toEqual([
      true,
      false,
      false,
    ]);
    const resting = sinceEver(replaceProgram(ahead, off, at(610)));
    expect(wasDisabledAt(resting, at(9))).toBe(true);
    expect(wasEnabledAt(replaceProgram(resting, fields, at(20)), at(21))).toBe(true);
    const written = { ...fields, date_created: at(500), date_updated: at(600) };
    expect(begun).toMatchObject({ id: 'p', workspace_id: 'w', ...written });
  });

  test('has one of two criteria', () => {
    expect(COMPLETION_CRITERIA).toEqual(['pass_install', 'first_transaction']);
  });
});
