export { type AgentOptions, createAgent, FORBIDDEN } from './agent';
export { bareHost, complaintAboutUrl, type GuardOptions, mayDial, networkOf } from './url-guard';
