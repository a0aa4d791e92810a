import { changedQueues, queueLines } from './released-queues.mjs';

const lines = (queues: string[], retired: string[] = []) =>
  queueLines(
    queues.map((queue) => ({ queue })),
    retired,
  );
const released = lines(['tiers.members', 'tiers.workspaces'], ['tiers.clients']);

test('a queue may come, and go where its service names it as retired', () => {
  const now = lines(['tiers.members', 'tiers.more'], ['tiers.clients', 'tiers.workspaces']);
  expect(changedQueues(released, now)).toEqual([]);
});

test.each([
  ['tiers.workspaces', lines(['tiers.members'], ['tiers.clients'])],
  ['tiers.clients', lines(['tiers.members', 'tiers.workspaces'])],
])(
  '%s, which no consumer has and no list names, is refused: it would fill for ever',
  (queue, now) => {
    expect(changedQueues(released, now)).toEqual([
      `given up; name it among the retiredQueues of its service: ${queue}`,
    ]);
  },
);

test('a queue that was retired does not come back: a replica of the release before deletes it', () => {
  const all = ['tiers.members', 'tiers.workspaces', 'tiers.clients'];
  const refused = ['retired; give the consumer a queue of another name: tiers.clients'];
  expect(changedQueues(released, lines(all))).toEqual(refused);
  expect(changedQueues([], lines(all, ['tiers.clients']))).toEqual(refused);
});
