import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { invalidField } from '@laurel/errors';
import { currentContext, newId } from '@laurel/lifecycle';
import type { clients as api } from '@laurel/rpc';

/** Clients in memory that keep the promises of the real service: one address, one client; one operation, one effect. */
export class FakeClients {
  readonly rows: api.Client[] = [];
  readonly updates: api.UpdateClientRequest[] = [];
  private readonly proofs = new Map<string, { at: number; wasReached: boolean }>();
  private readonly reached = new Set<string>();
  private readonly replies = new Map<string, api.Client>();

  constructor(private readonly clock: { now(): Date }) {}

  readonly ListFields = async () => ({ fields: [] });

  readonly GetTransactionMetrics = async () => ({ metrics: [] });

  readonly ListSuccessors = async () => ({ successors: [] });

  readonly FindClientBy = async ({ email, phone }: api.FindClientByRequest) => {
    await yieldToOthers();
    const client = this.rows.find((row) =>
      email === undefined ? row.phone === phone : row.email === email,
    );
    return client ? { client: { ...client } } : {};
  };

  readonly GetClients = async ({ ids }: api.ClientIds) => {
    await yieldToOthers();
    return { clients: this.rows.filter(({ id }) => ids.includes(id)) };
  };

  readonly CreateClient = async (request: api.CreateClientRequest): Promise<api.Client> => {
    await yieldToOthers();
    const { operationId, operationKept } = currentContext();
    const known = operationKept ? this.replies.get(operationId) : undefined;
    if (known) return known;
    if (this.rows.some(({ email }) => email === request.email))
      throw invalidField('email', 'the address is taken');
    const client = this.add(request);
    this.replies.set(operationId, client);
    return client;
  };

  readonly UpdateClient = async (request: api.UpdateClientRequest): Promise<api.Client> => {
    await yieldToOthers();
    this.updates.push(request);
    const row = this.rows.find(({ id }) => id === request.id)!;
    const { id: _id, change_source: _source, ...changes } = request;
    return Object.assign(row, changes);
  };

  readonly GetClientStanding = async ({ client_id }: api.ClientRequest) => {
    const proven = this.proofs.get(client_id)?.at;
    const standing = { status: 'active', loyalty_program_enabled: true };
    return { ...standing, ...(proven === undefined ? {} : { address_proven_at: proven }) };
  };

  readonly NoteAddressProof = async ({ client_id }: api.ClientRequest) => {
    const now = { at: this.clock.now().getTime(), wasReached: this.reached.has(client_id) };
    const proof = this.proofs.get(client_id) ?? now;
    this.proofs.set(client_id, proof);
    this.reached.delete(client_id);
    const client = this.rows.find(({ id }) => id === client_id);
    const came_by_form = client?.source === 'enrollment';
    return { proven_at: proof.at, came_by_form, reached_before: proof.wasReached };
  };

  readonly NoteReachedPhone = async ({ client_id, phone }: api.ReachedPhone) => {
    await yieldToOthers();
    const client = this.rows.find(({ id }) => id === client_id);
    const opens = client?.phone === phone && !this.proofs.has(client_id);
    if (opens) this.reached.add(client_id);
    return { opens };
  };

  /** The client has another address, which is not proven yet. */
  withdrawProof(clientId: string): void {
    this.proofs.delete(clientId);
  }

  add(fields: Partial<api.Client>): api.Client {
    const client = {
      id: newId(),
      status: 'active',
      marketing_consent: false,
      loyalty_program_enabled: false,
      custom_fields: {},
      ...fields,
    } as api.Client;
    this.rows.push(client);
    return client;
  }
}
