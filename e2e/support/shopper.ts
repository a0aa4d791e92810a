import { randomUUID } from 'node:crypto';
import type { Reply } from './api';
import { expectStatus, PASSWORD, type TestWorkspace, uniqueEmail } from './factories';
import type { Rotation } from './rotation';

/** Fewer than a session may make in a minute. */
const REQUESTS_PER_SESSION = 500;

/** Somebody at a till: one request after the other, each sent once, and what should have come of them. */
export class Shopper {
  clientId = '';
  balance = 0;
  readonly counts = { created: 0, earned: 0, spent: 0, redeemed: 0 };
  /** What was not answered as it should have been. */
  readonly failures: string[] = [];
  private token = '';
  private requests = 0;
  private atHome = false;

  constructor(
    private readonly workspace: TestWorkspace,
    private readonly rotation: Rotation,
    private readonly rewardId: string,
  ) {}

  /** Earns, spends, redeems and brings friends until the test sends them home. */
  async shop(): Promise<void> {
    this.clientId = (await this.create())?.body.data.id;
    while (!this.atHome && this.failures.length === 0) {
      await this.move('earn', 10, 'earned');
      await this.move('spend', 2, 'spent');
      await this.create();
      await this.redeem();
      await this.look();
    }
  }

  goHome(): void {
    this.atHome = true;
  }

  private async create(): Promise<Reply | undefined> {
    const reply = await this.post('/clients', { email: uniqueEmail('shopper') }, 201);
    if (reply) this.counts.created += 1;
    return reply;
  }

  private async move(
    operation: 'earn' | 'spend',
    amount: number,
    counted: 'earned' | 'spent',
  ): Promise<void> {
    const body = { client_id: this.clientId, amount };
    if (!(await this.post(`/loyalty/points/${operation}`, body, 201))) return;
    this.counts[counted] += 1;
    this.balance += operation === 'earn' ? amount : -amount;
  }

  private async redeem(): Promise<void> {
    const body = { client_id: this.clientId, reward_id: this.rewardId };
    const reply = await this.post('/rewards/redeem', body, 200);
    if (!reply) return;
    this.counts.redeemed += 1;
    this.balance -= reply.body.data.redemption.points_spent;
  }

  /** What was answered must show at once, whichever replica is asked. */
  private async look(): Promise<void> {
    const reply = await this.send('GET', `/clients/${this.clientId}/wallets`, {}, 200);
    const seen = reply?.body.data[0].wallet.active_balance;
    if (reply && seen !== this.balance)
      this.failures.push(`a balance of ${this.balance} was shown as ${seen}`);
  }

  private post(path: string, body: object, status: number): Promise<Reply | undefined> {
    const headers = { 'Idempotency-Key': randomUUID() };
    return this.send('POST', path, { body, headers }, status);
  }

  private async send(
    method: string,
    path: string,
    options: { body?: object; headers?: Record<string, string> },
    status: number,
  ): Promise<Reply | undefined> {
    const { owner, workspaceId } = this.workspace;
    if (this.requests % REQUESTS_PER_SESSION === 0) {
      const body = { email: owner.email, password: PASSWORD };
      const session = await this.rotation.call('POST', '!/auth/login', { body });
      this.token = expectStatus(session, 200).body.data.access_token;
    }
    this.requests += 1;
    const url = `/workspace/${workspaceId}${path}`;
    try {
      const reply = await this.rotation.call(method, url, { token: this.token, ...options });
      if (reply.status === status) return reply;
      this.failures.push(`${method} ${path} answered ${reply.status}: ${reply.text}`);
    } catch (error) {
      this.failures.push(`${method} ${path} was not answered: ${error}`);
    }
    return undefined;
  }
}
