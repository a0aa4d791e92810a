import { data, message } from '../routing';
import type { Input, Route } from '../routing/route';
import { changedValues, standing } from './values';

const row = (members: object) => data({ id: '1', name: 'A coffee', ...members });

test('tells from what to what, of the members that a change names, where their values are plain', () => {
  const before = row({ cost: 10, active: true, limits: { per: 1 }, note: 'a' });
  const after = row({ cost: 12, active: true, limits: { per: 2 }, note: 'b' });
  expect(changedValues(['cost', 'active', 'limits'], before, after)).toEqual([
    { name: 'cost', from: 10, to: 12 },
  ]);
});

test('tells nothing that names or reaches a person, nor whole essays', () => {
  const before = row({ reply_to: 'a@shop.example', email: null, text: 'x' });
  const after = row({ reply_to: 'b@shop.example', email: 'c@shop.example', text: 'y'.repeat(201) });
  expect(changedValues(['reply_to', 'email', 'text'], before, after)).toEqual([]);
});

test('tells of what was deleted what it was called', () => {
  const gone = [{ name: 'name', from: 'A coffee', to: null }];
  expect(changedValues([], row({}), message('the reward is deleted'))).toEqual(gone);
  expect(changedValues(['cost'], null, row({ cost: 1 }))).toEqual([]);
});

test('reads before a change what has versions, and lets a change go on where that cannot be read', async () => {
  const input = { query: { dry: true }, body: { cost: 1 } } as unknown as Input<
    string,
    unknown,
    unknown
  >;
  const change = { method: 'patch' } as Route;
  const handle = jest.fn(async () => row({}));
  const reading = { method: 'get', versioned: true, handle } as unknown as Route;
  expect(await standing(change, reading, input)).toEqual(row({}));
  expect(handle).toHaveBeenCalledWith({ query: {}, body: undefined });
  expect(await standing({ method: 'post' } as Route, reading, input)).toBeNull();
  expect(await standing(change, { ...reading, versioned: false }, input)).toBeNull();
  const lists = { ...input, body: { managed: [{ key: 'a' }] } } as typeof input;
  expect(await standing({ method: 'put' } as Route, reading, lists)).toBeNull();
  expect(await standing({ method: 'delete' } as Route, reading, lists)).toEqual(row({}));
  handle.mockRejectedValueOnce(new Error('away'));
  expect(await standing(change, reading, input)).toBeNull();
});
