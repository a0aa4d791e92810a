import { checkCustomFields } from './check-custom-fields';

const fields = { list: async () => [] } as never;
const check = (custom_fields: object) =>
  checkCustomFields({ fields }, { workspace_id: 'w', custom_fields: custom_fields as never });

test('who is to write custom fields later may not name columns that every client has', async () => {
  await expect(check({ vip: true, email: 'x', first_name: 'y' })).rejects.toMatchObject({
    problems: [
      { field: 'custom_fields.email', message: expect.stringMatching(/every client has/) },
      { field: 'custom_fields.first_name' },
    ],
  });
});

test('names that no column has are free', async () => {
  await expect(check({ vip: true, 'my email': 'x' })).resolves.toEqual({});
});
