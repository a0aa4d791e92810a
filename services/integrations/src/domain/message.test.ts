import { renderEntry, renderMessage } from './message';

const message = {
  type: 'loyalty.points_earned',
  timestamp: '2026-03-01T12:00:00.000Z',
  data: { points: 5 },
  workspaceId: 'w',
};

test('a webhook says type, time, data and workspace, and nothing else', () => {
  expect(renderMessage({ ...message, ...{ secret: 1 } })).toBe(
    '{"type":"loyalty.points_earned","timestamp":"2026-03-01T12:00:00.000Z","data":{"points":5},"workspace_id":"w"}',
  );
});

test('an entry of a feed is the same with the id of its event', () => {
  const entry = JSON.parse(renderEntry({ ...message, id: 'e' }));
  expect(entry).toEqual({ id: 'e', ...JSON.parse(renderMessage(message)) });
});
