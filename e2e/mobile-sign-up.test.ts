import { randomUUID } from 'node:crypto';
import {
  expectStatus,
  newClient,
  newWorkspace,
  type TestWorkspace,
  uniqueEmail,
} from './support/factories';
import { type Device, newApp, newDevice, newHolder } from './support/mobile';
import { expectRefusal } from './support/referrals';

let workspace: TestWorkspace;
let device: Device;

beforeEach(async () => {
  workspace = await newWorkspace();
  await newApp(workspace);
  device = await newDevice(workspace);
});

const signUp = (person: object, key: string = randomUUID()) =>
  device.post('/mobile-app/clients', person, { 'Idempotency-Key': key });
const members = async () => (await workspace.get(':ws/clients')).body.data;

describe('POST /mobile-app/clients', () => {
  test('makes one member with one card, however often it is sent under its key', async () => {
    const { projectId } = await newHolder(workspace);
    const before = await members();
    const [email, key] = [uniqueEmail('new'), randomUUID()];
    const person = { first_name: 'Frieda', email, marketing_consent: true };
    const first = expectStatus(await signUp(person, key), 201).body.data;
    expect(first).toMatchObject({
      project_id: projectId,
      status: 'active',
      client: { first_name: 'Frieda', email },
      wallets: [],
      tier: null,
    });
    expect(expectStatus(await signUp(person, key), 201).body.data).toEqual(first);
    const [made] = await members();
    expect(await members()).toHaveLength(before.length + 1);
    expect(made).toMatchObject({
      email,
      source: 'mobile',
      loyalty_program_enabled: true,
      marketing_consent: true,
      marketing_consent_source: 'api',
    });
    // What the phone of the one who was signed up opens.
    expect(first).toHaveProperty('apple_pass_url');
    expect(first).toHaveProperty('google_pass_url');
    expectStatus(await device.get(`/mobile-app/passes/scan/${first.barcode_value}`), 200);
  });

  test('refuses an address that somebody has, at its field, and makes nothing', async () => {
    await newHolder(workspace);
    const { email } = await newClient(workspace);
    const before = await members();
    const { errors } = expectStatus(await signUp({ email }), 400).body;
    expect(errors[0].extensions.field).toBe('email');
    expect(await members()).toHaveLength(before.length);
  });

  test('writes nothing that the workspace keeps from staff, and wants something to find them by', async () => {
    await newHolder(workspace);
    const hidden_fields = ['phone', 'allergies'];
    expectStatus(await workspace.patch(':ws/mobile-app-config', { hidden_fields }), 200);
    const refused = await signUp({ phone: '0301234567', custom_fields: { allergies: 'nuts' } });
    expect(
      expectStatus(refused, 400).body.errors.map(
        ({ extensions }: { extensions: { field: string } }) => extensions.field,
      ),
    ).toEqual(['phone', 'custom_fields.allergies']);
    expectRefusal(await signUp({ marketing_consent: true }), 400, 'INVALID_PAYLOAD');
  });

  test('hands out the cards of its own projects alone', async () => {
    expectRefusal(await signUp({ first_name: 'Bo' }), 409, 'CONFLICT');
    const own = await newHolder(workspace);
    const other = await newHolder(workspace);
    const project_ids = [other.projectId];
    expectStatus(await workspace.patch(':ws/mobile-app-config', { project_ids }), 200);
    const { project_id } = expectStatus(await signUp({ first_name: 'Bo' }), 201).body.data;
    expect(project_id).toBe(other.projectId);
    const { data: cards } = (await workspace.get(':ws/pass-templates')).body;
    const foreign = cards.find((card: { project_id: string }) => card.project_id === own.projectId);
    const named = { first_name: 'Bo', pass_template_id: foreign.id };
    expectRefusal(await signUp(named), 400, 'INVALID_PAYLOAD');
  });
});
