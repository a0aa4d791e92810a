export { type AgentOptions, createAgent, FORBIDDEN } from './agent';
export { type Agents, createAgents } from './agents';
export { bareHost, complaintAboutUrl, type GuardOptions, mayDial, networkOf } from './url-guard';
