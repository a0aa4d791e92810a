export { createBroadcast, type RunningBroadcast } from './broker/broadcast';
export { type Broker, type BrokerSettings, connectBroker, DEFAULT_EXCHANGE } from './broker/broker';
export type { PublishOutcome } from './broker/publisher';
export { openTap, type Tap } from './broker/tap';
export {
  type Concrete,
  catalogue,
  type EventDefinition,
  type EventMap,
  type EventSource,
  type EventType,
  findDefinition,
  type Listeners,
  webhookName,
  webhookNames,
} from './catalogue';
export type * from './catalogue/automations';
export type * from './catalogue/campaigns';
export type * from './catalogue/clients';
export { erasedUnder } from './catalogue/erased';
export type * from './catalogue/identity';
export type * from './catalogue/integrations';
export type * from './catalogue/loyalty';
export type * from './catalogue/mobile-app';
export type * from './catalogue/passes';
export type * from './catalogue/referrals';
export { sideIdOf, sidesOf } from './catalogue/referrals';
export type * from './catalogue/rewards';
export type * from './catalogue/tiers';
export type * from './catalogue/trail';
export type * from './catalogue/webhooks';
export { startConsumer } from './consumer/consumer';
export { inboxIndexes, type Once, type OnceForBatch } from './consumer/inbox';
export { listenerFor } from './consumer/listener';
export { isOutage } from './consumer/patience';
export { RetiredQueue } from './consumer/retired-queue';
export {
  batchOf,
  bindingsOf,
  type Consumer,
  type ConsumerSettings,
  EVERY_EVENT,
  each,
  type Handler,
  type HandlerTable,
  type Listening,
} from './consumer/types';
export { renderAsyncApi } from './docs/asyncapi';
export { renderEventsMarkdown } from './docs/markdown';
export { dataSchema } from './docs/schema';
export {
  type CloudEvent,
  checkData,
  contextOf,
  createEvent,
  type EventOf,
  InvalidEvent,
  type NewEvent,
  Poison,
  type PoisonReason,
  parseEnvelope,
} from './envelope';
export { forgetPublished } from './outbox/forget-published';
export { InFlight } from './outbox/in-flight';
export { createOutbox, type Outbox } from './outbox/outbox';
export { outboxRows } from './outbox/outbox-rows';
export { type Relay, type RelaySettings, startRelay } from './outbox/relay';
export type { ClaimedEvent, OutboxSource } from './outbox/source';
export { StoreLooks } from './outbox/store-looks';
export { Waiting } from './outbox/waiting';
export { type ForgottenParked, forgetParked } from './parking/discard';
export { measureQueues, type QueueDepth } from './parking/measure';
export { Orphans } from './parking/orphans';
export { listParked, type ParkedMessage, type ParkedQueue, redrive } from './parking/parking';
export { BrokerBlocked } from './parking/with-connection';
export { EVERY_SLOT, SLOTS, slotOf } from './slots/slot-of';
export { type SharedSlots, type Slots, takeSlots } from './slots/slots';
export type { Tally } from './tally';
