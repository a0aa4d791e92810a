import { newId } from '@laurel/lifecycle';
import type { clients as api } from '@laurel/rpc';
import { answerOrRefusal } from '@laurel/testing';
import { createHarness, type Harness } from '../testing/harness';
import { anonymizeClient } from './anonymize-client';
import { createField } from './create-field';
import { quoteUpdate } from './quote-update';
import { updateClient } from './update-client';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

test('what a quote says of a change is what the change then comes to, and nothing is written before', async () => {
  const { workspaceId: workspace_id, deps } = harness;
  await createField(deps, {
    workspace_id,
    field_name: 'size',
    field_label: 'Size',
    field_type: 'number',
  });
  await harness.client({ email: 'taken@example.com' });
  const { id } = await harness.client({ email: 'ada@example.com', custom_fields: { size: 3 } });
  const gone = await harness.client({ first_name: 'Bo' });
  await anonymizeClient(deps, { workspace_id, id: gone.id });
  const wishes: Partial<api.UpdateClientRequest>[] = [
    { email: 'TAKEN@example.com' },
    { email: 'ada@example.com' },
    { email: 'Ada@Example.com', first_name: 'Ada' },
    { email: null, marketing_consent: true },
    { email: 'ada@example.com', custom_fields: { size: 4 } },
    { custom_fields: { size: 'large' } },
    { custom_fields: { other: 'x'.repeat(50_000) } },
    { first_name: 'a\u0000b' },
    { id: gone.id, first_name: 'Bo' },
    { id: gone.id, loyalty_program_enabled: false },
    { id: newId(), first_name: 'Bo' },
  ];
  const changed = async () =>
    (await harness.told())
      .filter(({ type }) => type === 'clients.field_change')
      .map(({ data }) => data as api.QuotedChange);
  const statuses = new Set<number>();
  for (const wish of wishes) {
    const request = { workspace_id, id, ...wish };
    const before = await harness.told();
    const quote = await answerOrRefusal(() => quoteUpdate(deps, request));
    expect(await harness.told()).toEqual(before);
    const earlier = (await changed()).length;
    const done = await answerOrRefusal(() => updateClient(deps, request));
    if ('changes' in quote) {
      const fresh = (await changed()).slice(earlier);
      expect(fresh).toEqual(quote.changes.map((change) => expect.objectContaining(change)));
      expect(done).toHaveProperty('id', request.id);
    } else {
      expect(quote).toEqual(done);
      statuses.add(quote.httpStatus);
    }
  }
  expect([...statuses].sort()).toEqual([400, 404, 409]);
});
