import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { expectStatus, newClient, newMember, newWorkspace } from './support/factories';
import { newPass } from './support/passes';
import { expectRefusal } from './support/referrals';

const named = (value: string) => ({
  filter_type: 'client_field',
  filter_config: { field: 'first_name', operator: '_eq', value },
});
const withConsent = {
  filter_type: 'client_field',
  filter_config: { field: 'marketing_consent', operator: '_eq', value: true },
};

test('POST :ws/segments/preview counts whom filters would hold, reach and have the consent of, and saves nothing', async () => {
  const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
  const ada = await newClient(workspace, { first_name: 'Ada', marketing_consent: true });
  const second = await newClient(workspace, { first_name: 'Ada' });
  await newClient(workspace, { first_name: 'Bo', marketing_consent: true });
  await newClient(other, { first_name: 'Ada', marketing_consent: true });
  await newPass(workspace, second.id);
  const preview = async (body: object, by: Pick<typeof workspace, 'post'> = workspace) =>
    expectStatus(await by.post(':ws/segments/preview', body), 200).body.data;
  const filters = [named('Ada')];
  await until(async () => (await preview({ filters })).reachable === 1);
  const found = await preview({ filters, limit: 1 }, await newMember(workspace));
  expect(found).toMatchObject({ total: 2, reachable: 1, consenting: 1 });
  expect(found.sample).toHaveLength(1);
  expect(found.sample[0]).toMatchObject({ id: second.id, first_name: 'Ada' });
  expect(found.filters).toBeUndefined();
  expect(await preview({})).toMatchObject({ total: 3, consenting: 2 });
  const judged = await preview({ filters: [...filters, withConsent], client_id: second.id });
  expect(judged.filters).toEqual([
    { index: 0, matches: true },
    { index: 1, matches: false },
  ]);
  expect(judged.sample.map(({ id }: { id: string }) => id)).toEqual([ada.id]);
  expect((await preview({ filters, limit: 0 })).sample).toEqual([]);
  expect((await workspace.get(':ws/segments')).body.data).toEqual([]);

  const refused = async (body: object, field: string) =>
    expectRefusal(
      await workspace.post(':ws/segments/preview', body),
      400,
      'INVALID_PAYLOAD',
      field,
    );
  await refused({ filters, limit: 51 }, 'limit');
  await refused({ filters, client_id: randomUUID() }, 'client_id');
  const foreign = await newClient(other);
  await refused({ filters, client_id: foreign.id }, 'client_id');
  const nested = { filter_type: 'segment', filter_config: { segment_id: randomUUID() } };
  const reply = await workspace.post(':ws/segments/preview', { filters: [named('Ada'), nested] });
  expect(expectStatus(reply, 400).body.errors[0].extensions.field).toMatch(/^filters\.1/);
});

test('filters that would be nested too deep for a segment are refused in a preview, too', async () => {
  const workspace = await newWorkspace();
  const around = (segment_id?: string) =>
    segment_id === undefined
      ? []
      : [{ filter_type: 'segment', filter_config: { segment_id, negate: true } }];
  let inner: string | undefined;
  for (let depth = 0; depth <= 20; depth += 1) {
    const body = { name: `Level ${depth}`, filters: around(inner) };
    inner = expectStatus(await workspace.post(':ws/segments', body), 201).body.data.id;
  }
  expectStatus(await workspace.get(`/segments/${inner}/client-count`), 200);
  const filters = around(inner);
  for (const [path, body] of [
    [':ws/segments/preview', { filters }],
    [':ws/segments', { name: 'One too many', filters }],
  ] as const)
    expectRefusal(await workspace.post(path, body), 400, 'INVALID_PAYLOAD', 'filters');
});
