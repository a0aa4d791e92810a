import { PASS_ID, PROJECT_ID, TEMPLATE_ID, WORKSPACE_ID } from '../../testing/samples';
import { handedOver } from './hand-over';
import { newPass, notifiedPass } from './pass';

test('a card that another client gets shows them none of the texts that were sent to the one before', () => {
  const place = { workspace_id: WORKSPACE_ID, project_id: PROJECT_ID };
  const named = {
    id: PASS_ID,
    pass_template_id: TEMPLATE_ID,
    client_id: 'ann',
    barcode_value: 'B',
  };
  const now = new Date('2026-03-10T12:00:00.000Z');
  const made = newPass({ ...place, ...named, pass_fields: {} }, { userId: null, now });
  const greeted = notifiedPass(notifiedPass(made, 'Hello Ann'), 'See you, Ann');
  expect(handedOver(greeted, 'ann', now).notification_queue).toHaveLength(1);
  const { notification, notification_queue, notification_shown } = handedOver(greeted, 'bo', now);
  expect([notification, notification_queue, notification_shown]).toEqual([null, [], null]);
});
