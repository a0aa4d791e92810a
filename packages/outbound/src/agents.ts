import type { Agent } from 'undici';
import { type AgentOptions, createAgent } from './agent';

interface AgentsOptions extends AgentOptions {
  /** Of so many names connections are kept, and of those more that have something in flight. */
  kept: number;
}

/** Connections to strangers, of each name its own: what hangs under one name keeps no other waiting, also where both go to one host. */
export interface Agents {
  /** The connections of a name. To be used at once: idle ones make room for another name. */
  of(name: string): Agent;
  /** Waits for what is in flight; what comes later is refused. */
  close(): Promise<void>;
  /** Cuts off what is in flight. */
  destroy(): Promise<void>;
}

/** Makes connections by name, each with the bounds of `createAgent`. */
export function createAgents({ kept, ...options }: AgentsOptions): Agents {
  /** The one that was used last stands last. */
  const byName = new Map<string, Agent>();
  let isClosed = false;

  const makeRoom = (): void => {
    for (const [name, agent] of byName) {
      if (byName.size < kept) return;
      // One that is closing could not be cut off.
      if (!isIdle(agent)) continue;
      byName.delete(name);
      void agent.close();
    }
  };

  const open = (): Agent => {
    const agent = createAgent(options);
    if (isClosed) void agent.close();
    else makeRoom();
    return agent;
  };

  return {
    of(name) {
      const agent = byName.get(name) ?? open();
      byName.delete(name);
      byName.set(name, agent);
      return agent;
    },
    async close() {
      isClosed = true;
      const agents = [...byName.values()].filter(({ destroyed }) => !destroyed);
      await Promise.all(agents.map((agent) => agent.close()));
    },
    async destroy() {
      isClosed = true;
      await Promise.all([...byName.values()].map((agent) => agent.destroy()));
    },
  };
}

const isIdle = ({ stats }: Agent): boolean => Object.values(stats).every(({ size }) => size === 0);
