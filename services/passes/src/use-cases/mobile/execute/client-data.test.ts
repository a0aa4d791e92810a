import type { JsonObject } from '@laurel/errors';
import { updateClientData } from './client-data';
import type { ExecuteDeps, Task } from './task';

interface Given {
  fields: JsonObject;
  allowed?: string[];
  hidden?: string[];
  asked?: string;
  answers?: JsonObject;
}

/** What the clients service is asked to write. */
async function written({ fields, allowed, hidden, asked, answers = {} }: Given) {
  const UpdateClient = jest.fn(async (request: JsonObject) => ({ id: request.id }));
  const clients = { UpdateClient, ListFields: async () => ({ fields: [] }) };
  const form_fields = asked ? [{ name: asked, label: 'Asked', type: 'text', required: true }] : [];
  const action_config = allowed ? { allowed_fields: allowed } : {};
  const task = {
    workspaceId: 'w-1',
    clientId: 'c-1',
    config: { hidden_fields: hidden ?? null },
    action: { action_config, form_fields },
    data: { fields },
    answers,
  };
  await updateClientData({ clients } as unknown as ExecuteDeps, task as unknown as Task);
  const { workspace_id: _, id: __, change_source: ___, ...rest } = UpdateClient.mock.calls[0]![0];
  return rest;
}
const refusedOn = (field: string) =>
  expect.objectContaining({ problems: [expect.objectContaining({ field })] });

test.each<[string, Given]>([
  ['in what is sent', { fields: { 'custom_fields.city': 'Rome' } }],
  ['in what is allowed', { fields: { city: 'Rome' }, allowed: ['custom_fields.city'] }],
  ['in both', { fields: { 'custom_fields.city': 'Rome' }, allowed: ['custom_fields.city'] }],
  ['in neither', { fields: { custom_fields: { city: 'Rome' } }, allowed: ['city'] }],
  [
    'in the question',
    { fields: {}, answers: { 'custom_fields.city': 'Rome' }, asked: 'custom_fields.city' },
  ],
])('a custom field is known by its prefix %s', async (_, given) => {
  expect(await written(given)).toEqual({ custom_fields: { city: 'Rome' } });
});

test('an action whose list of fields is empty writes none, and one without a list writes all', async () => {
  const fields = { email: 'eve@mail.example', loyalty_program_enabled: true, city: 'Rome' };
  expect(await written({ fields, allowed: [] })).toEqual({});
  const { city, ...columns } = fields;
  expect(await written({ fields })).toEqual({ ...columns, custom_fields: { city } });
});

test('a custom field that is hidden stays so, however it is named', async () => {
  const fields = { 'custom_fields.city': 'Rome' };
  for (const hidden of ['city', 'custom_fields.city'])
    await expect(written({ fields, hidden: [hidden] })).rejects.toEqual(
      refusedOn('data.fields.city'),
    );
});

test.each(['Rome', 7, ['Rome']])('custom fields that are %j are refused', async (custom_fields) => {
  await expect(written({ fields: { custom_fields } })).rejects.toEqual(
    refusedOn('data.fields.custom_fields'),
  );
});

test('a custom field may be called as objects call a method of theirs', async () => {
  expect(await written({ fields: { toString: 'Rome' } })).toEqual({
    custom_fields: { toString: 'Rome' },
  });
});
