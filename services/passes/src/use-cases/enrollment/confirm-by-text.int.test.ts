import { createHash } from 'node:crypto';
import { platform } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { mergePerson, unitOfWork } from '@laurel/mongo';
import { ABANDONED_MS, Harness } from '../../testing/enrollment-harness';
import { createPass } from '../pass/create-pass';
import { renewLinks } from '../pass/renew-links';
import { updatePass } from '../pass/update-pass';
import { findSignedPass } from '../wallet/find-signed-pass';
import { sweepEnrollments } from './sweep-enrollments';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

const newPhone = () => `+4915${Math.floor(Math.random() * 1e9)}`.padEnd(14, '0');
const nothing = { client_token: null, apple_pass_url: null, google_pass_url: null };
const ended = { code: 'INVALID_PAYLOAD', problems: [{ field: 'token' }] };

/** Somebody whom the workspace knows by a number alone, a form with it, and the token that went there. */
async function asked() {
  const phone = newPhone();
  const client = harness.clients.add({ phone, first_name: 'Ann' });
  const email = `${newId()}@mail.example`;
  const reply = await harness.submit({ email, phone, last_name: 'Lo' });
  expect(reply).toMatchObject({ pass_id: null, client_token: null });
  return { client, token: await harness.tokenFor(phone) };
}
const prove = (client_id: string) =>
  harness.clients.NoteAddressProof({ workspace_id: harness.workspaceId, client_id });
/** The link, of a release that did not keep how it went. */
const asBefore = (token: string) => {
  const rows = harness.store.connection.collection<{ _id: string }>('enrollment_confirmations');
  const _id = createHash('sha256').update(token).digest('hex');
  return rows.updateOne({ _id }, { $unset: { texted: '' as const } });
};
/** An address is proven, and what the event of that does to the client's passes. */
const renewed = async (clientId: string) => {
  const { proven_at, came_by_form: cameByForm, reached_before } = await prove(clientId);
  const shownUntil = reached_before ? new Date(proven_at) : undefined;
  const whose = { workspaceId: harness.workspaceId, clientId, cameByForm, shownUntil };
  return unitOfWork(harness.deps.connection, (session) => renewLinks(harness.deps, whose, session));
};
/** One that staff make. */
const passOf = (client_id: string, { project_id, pass_template_id } = harness.distribution) =>
  createPass(harness.deps, {
    workspace_id: harness.workspaceId,
    project_id,
    pass_template_id,
    client_id,
  });
const opens = async (url: string | null | undefined) => {
  const [, , pass_id, signature] = new URL(url!).pathname.split('/');
  const found = findSignedPass(harness.deps, { pass_id: pass_id!, signature: signature! });
  return found.then(
    () => true,
    () => false,
  );
};

test('who confirms by a text message is enrolled and signed in, and has proven no address', async () => {
  const { client, token } = await asked();
  const noted = jest.spyOn(harness.deps.enrollees, 'NoteAddressProof');
  const reached = jest.spyOn(harness.deps.enrollees, 'NoteReachedPhone');
  const reply = await harness.confirm(token);
  expect(reply).toMatchObject({ pass_id: expect.any(String), client_token: expect.any(String) });
  expect(client).toMatchObject({ last_name: 'Lo', loyalty_program_enabled: true });
  expect(client.email ?? null).toBeNull();
  expect(noted).not.toHaveBeenCalled();
  // What signs them out once the number is another one.
  const { workspaceId: workspace_id } = harness;
  expect(reached).toHaveBeenCalledWith({
    workspace_id,
    client_id: client.id,
    phone: client.phone,
  });
  for (const spy of [noted, reached]) spy.mockRestore();
});

test('what it opened ends with the first proof of an address', async () => {
  const { client, token } = await asked();
  const reply = await harness.confirm(token);
  expect(await opens(reply.apple_pass_url)).toBe(true);
  // The session is as old as the press of the button, so that any later proof is younger.
  const { at } = harness.deps.tokens.verify('client_access', reply.client_token!);
  expect(at).toBe(harness.clock.now().getTime());
  await renewed(client.id);
  expect(await opens(reply.apple_pass_url)).toBe(false);
});

test('so do the links and the barcodes of all passes that the workspace had made', async () => {
  const { client, token } = await asked();
  const found = await passOf(client.id);
  const other = await passOf(client.id, await harness.newDistribution());
  const reply = await harness.confirm(token);
  expect(reply).toMatchObject({ pass_id: found.id, is_resend: true });
  const links = [reply.apple_pass_url, other.apple_pass_url];
  expect(await Promise.all(links.map(opens))).toEqual([true, true]);
  await renewed(client.id);
  expect(await Promise.all(links.map(opens))).toEqual([false, false]);
  for (const { id, barcode_value } of [found, other]) {
    const { passes } = harness.deps;
    expect((await passes.find(harness.workspaceId, id))!.barcode_value).not.toBe(barcode_value);
  }
});

test('so do those of passes that the workspace makes while it is open: it shows them, too', async () => {
  const { client, token } = await asked();
  await harness.confirm(token);
  const later = await passOf(client.id, await harness.newDistribution());
  expect(await opens(later.apple_pass_url)).toBe(true);
  await renewed(client.id);
  expect(await opens(later.apple_pass_url)).toBe(false);
  harness.clock.advanceMs(1);
  const next = await passOf(client.id, await harness.newDistribution());
  await renewed(client.id);
  expect(await opens(next.apple_pass_url)).toBe(true);
});

/** Somebody let in by a text message, whose address staff have noted since, and the link that another form mailed there. */
async function askedOnce() {
  const { client, token } = await asked();
  await harness.confirm(token);
  client.email = `${newId()}@mail.example`;
  const first = harness.distribution;
  harness.distribution = await harness.newDistribution();
  await harness.submit({ email: client.email });
  harness.distribution = first;
  return { client, mailed: await harness.tokenFor(client.email) };
}

test('the pass that a proof hands out stays, though the event of it comes later', async () => {
  const { client, mailed } = await askedOnce();
  const reply = await harness.confirm(mailed);
  expect(await opens(reply.apple_pass_url)).toBe(true);
  const { barcode_value } = (await harness.passesOf(client.id)).find(
    ({ id }) => id === reply.pass_id,
  )!;
  await renewed(client.id);
  expect(await opens(reply.apple_pass_url)).toBe(true);
  const after = (await harness.passesOf(client.id)).find(({ id }) => id === reply.pass_id)!;
  expect(after.barcode_value).toBe(barcode_value);
});

test.each([
  ['is pressed again as no answer came', (proof: object) => proof],
  [
    'is the first that clients of the release before hear of',
    ({ reached_before: was_reached, ...proof }: { reached_before?: boolean }) => ({
      ...proof,
      was_reached,
    }),
  ],
])('the links before a proof end with it also where the button %s', async (_what, asHeard) => {
  const { client, mailed } = await askedOnce();
  const made = await passOf(client.id, await harness.newDistribution());
  const { NoteAddressProof } = harness.clients;
  await prove(client.id);
  const noted = jest.spyOn(harness.deps.enrollees, 'NoteAddressProof');
  noted.mockImplementationOnce(
    async (request) => asHeard(await NoteAddressProof(request)) as never,
  );
  const reply = await harness.confirm(mailed);
  noted.mockRestore();
  expect(await opens(made.apple_pass_url)).toBe(false);
  const current = (await harness.passesOf(client.id)).find(({ id }) => id === made.id)!;
  const { apple_pass_url } = harness.deps.links.urlsOf(current);
  for (const url of [apple_pass_url, reply.apple_pass_url]) expect(await opens(url)).toBe(true);
});

test('so do those of a pass whose links were made anew before the message: by a proof of an earlier address, or as it was another client’s', async () => {
  const { client, token } = await asked();
  const { pass_id: id } = await harness.confirm(token);
  await renewed(client.id);
  harness.clients.withdrawProof(client.id);
  const { deps, workspaceId: workspace_id } = harness;
  const other = await passOf(harness.clients.add({}).id, await harness.newDistribution());
  await updatePass(deps, { workspace_id, id: other.id, client_id: client.id });
  await harness.submit({ email: `${newId()}@mail.example`, phone: client.phone! });
  await harness.confirm(await harness.tokenFor(client.phone!));
  const links = async () => {
    const held = await harness.passesOf(client.id);
    return held.map((pass) => ({ id: pass.id, url: deps.links.urlsOf(pass).apple_pass_url }));
  };
  const shown = await links();
  expect(shown.map((pass) => pass.id).sort()).toEqual([id, other.id].sort());
  expect(await Promise.all(shown.map(({ url }) => opens(url)))).toEqual([true, true]);
  await renewed(client.id);
  await renewed(client.id);
  expect(await Promise.all(shown.map(({ url }) => opens(url)))).toEqual([false, false]);
  const after = await links();
  expect(await Promise.all(after.map(({ url }) => opens(url)))).toEqual([true, true]);
});

test('where an address is proven by then, it enrolls, opens nothing, and no pass ends for it', async () => {
  const { client, token } = await asked();
  const made = await passOf(client.id);
  client.email = `${newId()}@mail.example`;
  await prove(client.id);
  expect(await harness.confirm(token)).toMatchObject({ pass_id: made.id, ...nothing });
  expect(client.last_name).toBe('Lo');
  expect(await harness.passesOf(client.id)).toHaveLength(1);
  await renewed(client.id);
  expect(await opens(made.apple_pass_url)).toBe(true);
});

test('where an address is proven while it is answered, it opens nothing', async () => {
  const { client, token } = await asked();
  await passOf(client.id);
  const { NoteReachedPhone } = harness.clients;
  const reached = jest.spyOn(harness.deps.enrollees, 'NoteReachedPhone');
  reached.mockImplementationOnce(async (request) => {
    const standing = await NoteReachedPhone(request);
    await prove(client.id);
    return standing;
  });
  expect(await harness.confirm(token)).toMatchObject(nothing);
  reached.mockRestore();
});

test('a link in a text message ends once the number is another one', async () => {
  const { client, token } = await asked();
  client.phone = newPhone();
  await expect(harness.confirm(token)).rejects.toMatchObject(ended);
  expect(await harness.passesOf(client.id)).toEqual([]);
});

test('a link of which was not kept yet that it went as a text message proves no address', async () => {
  const { client, token } = await asked();
  await asBefore(token);
  client.email = `${newId()}@mail.example`;
  const noted = jest.spyOn(harness.deps.enrollees, 'NoteAddressProof');
  expect((await harness.confirm(token)).client_token).toEqual(expect.any(String));
  expect(noted).not.toHaveBeenCalled();
  const email = `${newId()}@mail.example`;
  harness.clients.add({ email, phone: newPhone() });
  await harness.submit({ email });
  const mailed = await harness.tokenFor(email);
  await asBefore(mailed);
  await harness.confirm(mailed);
  expect(noted).toHaveBeenCalledTimes(1);
  noted.mockRestore();
});

test('where clients cannot say whether a number lets in, nothing is begun, and the link stays good', async () => {
  const { client, token } = await asked();
  const reached = jest.spyOn(harness.deps.enrollees, 'NoteReachedPhone');
  reached.mockRejectedValueOnce(platform.serviceUnavailable());
  await expect(harness.confirm(token)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  reached.mockRestore();
  expect(client.last_name ?? null).toBeNull();
  harness.clock.advanceMs(2 * ABANDONED_MS);
  await sweepEnrollments(harness.deps);
  expect((await harness.confirm(token)).client_token).toEqual(expect.any(String));
});

test.each([
  [true, 'is about who they are now', true],
  [true, 'from before that was kept is about who they are now', false],
  [false, 'ends', true],
  [false, 'from before that was kept ends', false],
])(
  'of somebody merged whose number stays theirs (%s) such a link %s',
  async (stays, _so, isKept) => {
    const { client, token } = await asked();
    if (!isKept) await asBefore(token);
    const phone = stays ? client.phone! : newPhone();
    const target = harness.clients.add({ first_name: 'Ann', phone });
    harness.clients.rows.splice(harness.clients.rows.indexOf(client), 1);
    const merge = { workspaceId: harness.workspaceId, source: client.id, target: target.id };
    await mergePerson(harness.deps, merge);
    const noted = jest.spyOn(harness.deps.enrollees, 'NoteAddressProof');
    const pressed = harness.confirm(token);
    if (stays) expect((await pressed).client_token).toEqual(expect.any(String));
    else await expect(pressed).rejects.toMatchObject(ended);
    expect(noted).not.toHaveBeenCalled();
    noted.mockRestore();
  },
);
