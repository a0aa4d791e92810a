import { later, runInBackground, type Timer } from '@laurel/lifecycle';

/** No sweep is begun more often than this, whatever asks for it. */
const SWEEP_MS_MIN = 1_000;
const NEVER = Number.POSITIVE_INFINITY;
/** What a loop has waited is no matter of the day's time, which may be set forward and back. */
const elapsed = (): number => performance.now();

/** Why a loop looks: something asked for it, or it is only time to make sure. */
export type Reason = 'woken' | 'sweep';

/** What a look says about the next one. */
export interface Next {
  /** Look again at once. */
  again?: boolean;
  /** Something is known to be due at this time, in epoch milliseconds. */
  at?: number;
  /** Do not look for so long, even if asked; `wakeUp` alone ends it early. */
  deafMs?: number;
}

interface LoopSpec {
  /** Names the work in logs and request ids, e.g. `rewards.recover-attempts`. */
  name: string;
  /** How often it looks when nothing wakes it. */
  sweepMs: number;
  /** When it looks first. */
  firstMs?: number;
  /** Looks for what is to be done and does it. Must not reject. */
  look(reason: Reason): Promise<Next>;
}

/** Looks again and again, never twice at once. */
export const startLoop = (spec: LoopSpec): Loop => new Loop(spec);

/** The one timer of a piece of work: it sleeps until it is woken, until something is due, or until a sweep. */
export class Loop {
  private poked = false;
  private dueAt = NEVER;
  /** Something later than `dueAt` was announced, too: only a sweep can say when. */
  private forgotten = false;
  private sweepAt: number;
  private sweptAt = -SWEEP_MS_MIN;
  private deafUntil = 0;
  private timer: Timer | undefined;
  private running: Promise<void> | null = null;
  private stopped = false;

  constructor(private readonly spec: LoopSpec) {
    this.sweepAt = elapsed() + (spec.firstMs ?? 0);
    this.arm();
  }

  /** Asks for a look, at once or at a time in epoch milliseconds. Costs nothing where one is asked for already. */
  wake(at = 0): void {
    if (at <= Date.now()) this.poked = true;
    else this.announce(at);
    this.arm();
  }

  /** Asks for a look at once even where the last one wanted to be left alone. */
  wakeUp(): void {
    this.deafUntil = 0;
    this.wake();
  }

  /** Begins no further look and waits for the one under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.timer?.cancel();
    await this.running;
  }

  private arm(): void {
    if (this.stopped || this.running !== null) return;
    this.timer?.cancel();
    const now = elapsed();
    const wantedMs = this.poked ? 0 : Math.min(this.dueAt - Date.now(), this.sweepAt - now);
    const waitMs = Math.max(wantedMs, this.deafUntil - now);
    if (waitMs <= 0) this.begin();
    // A timer may fire before the clock that it is read by says so: what is due is asked for again.
    else this.timer = later(this.spec.name, waitMs, () => this.arm());
  }

  private begin(): void {
    if (this.stopped || this.running !== null) return;
    const isDue = this.dueAt <= Date.now();
    const reason: Reason = this.poked || isDue ? 'woken' : 'sweep';
    this.poked = false;
    if (isDue) this.dueAt = NEVER;
    if (reason === 'sweep') {
      this.forgotten = false;
      this.sweptAt = elapsed();
      // Replicas that were started together do not sweep together for ever.
      this.sweepAt = this.sweptAt + this.spec.sweepMs * (0.9 + Math.random() * 0.2);
    }
    this.running = runInBackground(this.spec.name, () => this.spec.look(reason)).then((next) => {
      this.running = null;
      this.heed(next);
      // Looks that follow each other at once must not keep the process from everything else.
      setImmediate(() => this.arm());
    });
  }

  private heed({ again, at, deafMs }: Next): void {
    if (again) this.poked = true;
    if (at !== undefined) this.announce(at);
    if (deafMs !== undefined) this.deafUntil = elapsed() + deafMs;
    if (!this.forgotten || this.dueAt !== NEVER) return;
    const soonest = Math.max(elapsed(), this.sweptAt + SWEEP_MS_MIN);
    this.sweepAt = Math.min(this.sweepAt, soonest);
  }

  private announce(at: number): void {
    if (at === this.dueAt) return;
    if (this.dueAt !== NEVER) this.forgotten = true;
    this.dueAt = Math.min(this.dueAt, at);
  }
}
