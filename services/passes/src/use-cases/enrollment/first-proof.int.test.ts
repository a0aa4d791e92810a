import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { Harness } from '../../testing/enrollment-harness';
import { createPass } from '../pass/create-pass';
import { renewLinks } from '../pass/renew-links';
import { findSignedPass } from '../wallet/find-signed-pass';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

const newEmail = () => `${newId()}@mail.example`;
const provenAt = async (clientId: string) => {
  const named = { workspace_id: harness.workspaceId, client_id: clientId };
  return (await harness.clients.NoteAddressProof(named)).proven_at;
};
const madeAt = (token: string | null | undefined) =>
  harness.deps.tokens.verify('client_access', token!).at!;
const opens = async (url: string | null | undefined) => {
  const [, , pass_id, signature] = new URL(url!).pathname.split('/');
  const found = findSignedPass(harness.deps, { pass_id: pass_id!, signature: signature! });
  return found.then(
    () => true,
    () => false,
  );
};
const renewed = (clientId: string, cameByForm: boolean) =>
  unitOfWork(harness.deps.connection, (session) =>
    renewLinks(harness.deps, { workspaceId: harness.workspaceId, clientId, cameByForm }, session),
  );

describe('the first proof of an address', () => {
  test('ends the links of a pass that a form had made for its sender, and no session is as young', async () => {
    const email = newEmail();
    const stranger = await harness.submit({ email });
    expect(await opens(stranger.apple_pass_url)).toBe(true);
    harness.clock.advanceMs(1_000);
    await harness.submit({ email });
    const owner = await harness.confirm(await harness.tokenFor(email));
    expect(owner.pass_id).toBe(stranger.pass_id);
    expect(await opens(stranger.apple_pass_url)).toBe(false);
    expect(await opens(owner.apple_pass_url)).toBe(true);
    const { id } = harness.clients.rows.find((row) => row.email === email)!;
    const proof = await provenAt(id);
    expect(madeAt(stranger.client_token)).toBeLessThan(proof);
    expect(madeAt(owner.client_token)).toBeGreaterThanOrEqual(proof);
    // The event of the proof comes, too, and once more.
    await renewed(id, true);
    await renewed(id, true);
    expect(await opens(owner.apple_pass_url)).toBe(true);
  });

  test('is none of an address that the client has got since the link was pressed', async () => {
    const email = newEmail();
    await harness.submit({ email });
    await harness.submit({ email });
    const token = await harness.tokenFor(email);
    await harness.confirm(token);
    expect((await harness.confirm(token)).client_token).toBeNull();
    const client = harness.clients.rows.find((row) => row.email === email)!;
    client.email = newEmail();
    const noted = jest.spyOn(harness.deps.enrollees, 'NoteAddressProof');
    await expect(harness.confirm(token)).rejects.toMatchObject({ httpStatus: 400 });
    expect(noted).not.toHaveBeenCalled();
    noted.mockRestore();
  });

  test('ends the barcodes of such a pass, but for one that comes out of a pattern', async () => {
    const email = newEmail();
    const stranger = await harness.submit({ email });
    const { passes, formerBarcodes } = harness.deps;
    const at = () => passes.find(harness.workspaceId, stranger.pass_id!);
    const { barcode_value: former, client_id } = (await at())!;
    await renewed(client_id!, true);
    const { barcode_value: value } = (await at())!;
    expect(value).not.toBe(former);
    expect(await passes.findByBarcode(harness.workspaceId, former)).toBeNull();
    expect(await formerBarcodes.passOf(harness.workspaceId, former)).toBeNull();
    await renewed(client_id!, true);
    expect((await at())!.barcode_value).toBe(value);
    // A number of a card stays what it is; one that it had before does not lead to it.
    const other = await harness.submit({ email: newEmail() });
    const rows = harness.store.connection.collection<{ _id: string }>('passes');
    const number = `card-${newId()}`;
    await rows.updateOne({ _id: other.pass_id! }, { $set: { barcode_value: number } });
    const earlier = { value: `earlier-${number}`, passId: other.pass_id! };
    await unitOfWork(harness.deps.connection, (session) =>
      formerBarcodes.keep(harness.workspaceId, earlier, session),
    );
    const { client_id: holder } = (await passes.find(harness.workspaceId, other.pass_id!))!;
    await renewed(holder!, true);
    const kept = await passes.find(harness.workspaceId, other.pass_id!);
    expect(kept!.barcode_value).toBe(number);
    expect(await formerBarcodes.passOf(harness.workspaceId, earlier.value)).toBeNull();
  });

  test('gives no younger session to who asks again for the answer to a form from before it', async () => {
    const email = newEmail();
    const operationId = newId();
    await harness.submit({ email }, { operationId });
    harness.clock.advanceMs(1);
    const { id } = harness.clients.rows.find((row) => row.email === email)!;
    await harness.submit({ email });
    await harness.confirm(await harness.tokenFor(email));
    const again = await harness.submit({ email }, { operationId });
    expect(madeAt(again.client_token)).toBeLessThan(await provenAt(id));
  });

  test('leaves the links of passes that the workspace or the confirmed form gave', async () => {
    const email = newEmail();
    const client = harness.clients.add({ email, source: 'enrollment' });
    const { project_id, pass_template_id } = harness.distribution;
    const made = await createPass(harness.deps, {
      workspace_id: harness.workspaceId,
      project_id,
      pass_template_id,
      client_id: client.id,
    });
    await harness.submit({ email });
    await harness.confirm(await harness.tokenFor(email));
    expect(await opens(made.apple_pass_url)).toBe(true);
    const later = newEmail();
    const known = harness.clients.add({ email: later, source: 'enrollment' });
    await harness.submit({ email: later });
    const owner = await harness.confirm(await harness.tokenFor(later));
    await renewed(known.id, true);
    expect(await opens(owner.apple_pass_url)).toBe(true);
  });

  test('ends those of a pass from before it was kept to whom it went, where a form made the client', async () => {
    const [ofForm, ofWorkspace] = [newEmail(), newEmail()];
    const links: (string | null | undefined)[] = [];
    for (const email of [ofForm, ofWorkspace]) {
      const { pass_id, apple_pass_url } = await harness.submit({ email });
      const rows = harness.store.connection.collection<{ _id: string }>('passes');
      await rows.updateOne(
        { _id: pass_id! },
        { $unset: { handed_out: '' as const, link_generation: '' as const } },
      );
      links.push(apple_pass_url);
      const { id } = harness.clients.rows.find((row) => row.email === email)!;
      await renewed(id, email === ofForm);
    }
    expect(await Promise.all(links.map(opens))).toEqual([false, true]);
  });
});
