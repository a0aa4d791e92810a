import { withoutHidden, withoutHiddenValues } from './hiding';
import {
  type Action,
  type AppConfig,
  actionsFor,
  admits,
  changedApp,
  inOrder,
  lastPlace,
  reaches,
  reordered,
} from './mobile-app';
import { defaultActions, newAction } from './new-action';

const action = (id: string, fields: Partial<Action> = {}) =>
  newAction(id, 0, { name: id, action_type: 'add_points', ...fields });
const config = (fields: Partial<AppConfig>) => ({ actions: [], ...fields }) as unknown as AppConfig;
const idsOf = (actions: Action[] | null) => actions?.map(({ id }) => id);

test.each([
  [null, true],
  [['a', 'b'], true],
  [['b'], false],
  [[], false],
])('roles %j admit a: %p', (allowed, isAdmitted) => {
  expect(admits(allowed, 'a')).toBe(isAdmitted);
});

test('no config and no list of projects reach everything, an empty list nothing', () => {
  expect(reaches(null, 'p')).toBe(true);
  expect(reaches(config({ project_ids: null }), 'p')).toBe(true);
  expect(reaches(config({ project_ids: ['p'] }), 'p')).toBe(true);
  expect(reaches(config({ project_ids: ['q'] }), 'p')).toBe(false);
  expect(reaches(config({ project_ids: [] }), 'p')).toBe(false);
});

test('a role is offered what is enabled and open to it, in order', () => {
  const actions = [
    action('later', { sort_order: 2 }),
    action('off', { is_enabled: false }),
    action('mine', { sort_order: 1, allowed_role_ids: ['me'] }),
    action('theirs', { allowed_role_ids: ['them'] }),
  ];
  expect(idsOf(actionsFor(config({ actions }), 'me'))).toEqual(['mine', 'later']);
});

test('actions of one place stand in the order in which they were made', () => {
  const actions = [action('b', { sort_order: 1 }), action('a', { sort_order: 1 }), action('c')];
  expect(idsOf(inOrder(actions))).toEqual(['c', 'b', 'a']);
});

test('the last place is behind all, gaps or not', () => {
  expect(lastPlace([])).toBe(0);
  expect(lastPlace([action('a', { sort_order: 7 }), action('b', { sort_order: 3 })])).toBe(8);
});

test('an order names every action exactly once, or is none', () => {
  const actions = [action('a'), action('b'), action('c')];
  const order = reordered(actions, ['c', 'a', 'b']);
  expect(order?.map(({ id, sort_order }) => [id, sort_order])).toEqual([
    ['c', 0],
    ['a', 1],
    ['b', 2],
  ]);
  for (const ids of [[], ['a', 'b'], ['a', 'b', 'b'], ['a', 'b', 'x'], ['a', 'b', 'c', 'c']])
    expect(reordered(actions, ids)).toBeNull();
});

test('only a change of who may use the app moves its moment, and never backwards', () => {
  const app = { workspaceId: 'w', config: null, changedAt: new Date(1_000), revision: 3 };
  const moment = (now: number, touchesAccess: boolean) =>
    changedApp(app, null, { now: new Date(now), touchesAccess }).changedAt.getTime();
  expect(moment(5_000, true)).toBe(5_000);
  expect(moment(500, true)).toBe(1_001);
  expect(moment(5_000, false)).toBe(1_000);
});

test('every app starts with four actions', () => {
  const actions = defaultActions('en', () => 'id');
  const types = actions.map(({ action_type }) => action_type);
  // Each is called what it does, and asks for nothing.
  for (const { name, action_type, form_fields } of actions) {
    expect(name.toLowerCase().replaceAll(' ', '_')).toBe(action_type);
    expect(form_fields).toEqual([]);
  }
  expect(types).toEqual(['add_points', 'remove_points', 'redeem_reward', 'update_client_data']);
});

describe('hiding', () => {
  const client = { id: 'c', email: 'a@b.example', phone: '1', custom_fields: { vat: 1, shoe: 2 } };

  test('leaves out custom fields, empties columns and touches nothing else', () => {
    expect(withoutHidden(['vat', 'phone', 'id'], client)).toEqual({
      ...client,
      phone: null,
      custom_fields: { shoe: 2 },
    });
    for (const nothing of [null, undefined, []])
      expect(withoutHidden(nothing, client)).toBe(client);
  });

  test('hides what is named as rules and forms name a custom field, too', () => {
    const hidden = ['custom_fields.vat'];
    expect(withoutHidden(hidden, client).custom_fields).toEqual({ shoe: 2 });
    const change = { field_name: 'vat', old_value: 'x', metadata: { vat: 1 } };
    const kept = { field_name: null, old_value: null, new_value: null, metadata: {} };
    expect(withoutHiddenValues(hidden, change)).toEqual(kept);
  });

  test('takes name and values out of the changes of a hidden field, whichever way it is named', () => {
    const change = { old_value: 'x', new_value: 'y', client_name_snapshot: 'Ada' };
    for (const field_name of ['vat', 'custom_fields.vat'])
      expect(withoutHiddenValues(['vat'], { ...change, field_name })).toEqual({
        field_name: null,
        old_value: null,
        new_value: null,
        client_name_snapshot: 'Ada',
      });
    const other = { ...change, field_name: 'shoe' };
    expect(withoutHiddenValues(['vat'], other)).toEqual(other);
    expect(withoutHiddenValues(['last_name'], other).client_name_snapshot).toBeNull();
  });

  test('takes hidden fields out of what else an event says, and the name of its client', () => {
    const event = { metadata: { vat: 1, shoe: 2 }, client_name_snapshot: 'Ada' };
    expect(withoutHiddenValues(['vat'], event)).toEqual({ ...event, metadata: { shoe: 2 } });
    for (const name of ['first_name', 'last_name'])
      expect(withoutHiddenValues([name], event)).toEqual({ ...event, client_name_snapshot: null });
    for (const nothing of [null, undefined, []])
      expect(withoutHiddenValues(nothing, event)).toBe(event);
  });

  test('leaves alone a field that only ends as a hidden one is called', () => {
    const change = { field_name: 'my.custom_fields.vat', old_value: 'x', new_value: 'y' };
    expect(withoutHiddenValues(['my.vat'], change)).toEqual(change);
    expect(withoutHiddenValues(['vat'], { field_name: null })).toEqual({ field_name: null });
  });
});
