// What makes the platform write: somebody is invited, and staff are sent their codes by text.

/** @typedef {import('./draw.mjs').Maker} Maker */

const ACCOUNT = /** @type {const} */ ('account');
/** The platform lets a workspace invite a hundred a day, and sends a phone five codes an hour. */
const INVITED_MAX = 80;
const TEXTED_MAX = 4;

/** @type {Record<string, Maker>} */
export const LETTERS = {
  invite: ({ workspace, tag }) => {
    if (workspace.invited.length >= INVITED_MAX) return undefined;
    const email = `invite-${workspace.id}-${tag}@example.com`;
    workspace.invited.push(email);
    const body = { email, workspace_id: workspace.id };
    return { kind: 'invite', path: '/service-api/invite', body, of: email, door: ACCOUNT };
  },
  text: ({ random, workspace }) => {
    const { id, phone } = random.pick(workspace.texted);
    const asked = workspace.texts.get(phone) ?? 0;
    if (asked >= TEXTED_MAX) return undefined;
    workspace.texts.set(phone, asked + 1);
    const path = `/mobile-app-users/${id}/send-pairing-code`;
    return { kind: 'text', path, body: { delivery_method: 'sms' }, of: phone };
  },
};
