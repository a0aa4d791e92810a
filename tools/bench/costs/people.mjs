// What people do at the counter: joining by a form, and points that staff give with their phone.
import { randomUUID } from 'node:crypto';

/**
 * @param {import('../subjects.mjs').Http} http
 * @param {import('../subjects.mjs').Scene} scene
 * @returns {Promise<Record<string, import('../subjects.mjs').Subject>>}
 */
export async function peopleOf(http, { token, workspace, clientIds }) {
  /** @param {string} path @param {object} body @param {string} [as] */
  const make = (path, body, as = token) => http.request('POST', path, { token: as, body });
  const { data: project } = await make(`${workspace}/projects`, { name: 'Cards' });
  const { data: template } = await make(`${workspace}/pass-templates`, {
    name: 'Card',
    project_id: project.id,
  });
  const card = { project_id: project.id, pass_template_id: template.id };
  const form = { name: 'Counter', page_enabled: true, ...card };
  const { data: distribution } = await make(`${workspace}/distributions`, form);
  const door = await make(`${workspace}/distributions/${distribution.id}/api-token/rotate`, {});
  const passes = await Promise.all(
    clientIds.slice(0, 32).map((client_id) => make(`${workspace}/passes`, { ...card, client_id })),
  );
  const till = await openTill(make, workspace);
  return {
    'join by a form': {
      operation: () =>
        http.request('POST', `/service-api/embed/distribution/${door.data.token}/submit`, {
          body: {
            email: `${randomUUID()}@example.com`,
            first_name: 'Ada',
            phone: `+49151${String(randomNumber()).padStart(8, '0')}`,
          },
        }),
    },
    'points at the till': {
      operation: (sequence) =>
        http.request('POST', `/service-api/mobile-app-actions/${till.action}/execute`, {
          headers: { 'x-mobile-token': till.token, 'Idempotency-Key': randomUUID() },
          body: { pass_id: passes[sequence % passes.length]?.data.id, data: { points: 1 } },
        }),
    },
  };
}

const randomNumber = () => Math.floor(Math.random() * 100_000_000);

/**
 * @param {(path: string, body: object, as?: string) => Promise<any>} make
 * @param {string} workspace
 * @returns {Promise<{ action: string, token: string }>}
 */
async function openTill(make, workspace) {
  await make(`${workspace}/mobile-app-config`, { is_enabled: true });
  const { data: action } = await make(`${workspace}/mobile-app-config/actions`, {
    name: 'Give points',
    action_type: 'add_points',
    action_config: { wallet_type_codes: ['points'] },
  });
  const identifier = `staff-${randomUUID()}@example.com`;
  const users = `${workspace}/mobile-app-users`;
  const { data: user } = await make(users, { email: identifier });
  const { code } = await make(`${users}/${user.id}/send-pairing-code`, { delivery_method: 'none' });
  const paired = await make('/service-api/mobile-app/auth/pair', { identifier, code });
  return { action: action.id, token: paired.data.access_token };
}
