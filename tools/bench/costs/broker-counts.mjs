// Counts the messages that go to the broker and come from it, by their method frames.
import { splitFrames } from './frames.mjs';

const PROTOCOL_HEADER = 'AMQP';
const PROTOCOL_HEADER_BYTES = 8;
const METHOD = 1;
const FRAME_HEADER_BYTES = 7;
const BASIC = 60;
const PUBLISH = 40;
const DELIVER = 60;

/** @typedef {{ published: number, delivered: number }} BrokerCounts */

/** @param {BrokerCounts} counts */
export function watchBroker(counts) {
  /** @param {Buffer} bytes */
  const lengthOf = (bytes) => {
    if (bytes.length < FRAME_HEADER_BYTES + 1) return 0;
    if (bytes.toString('latin1', 0, 4) === PROTOCOL_HEADER) return PROTOCOL_HEADER_BYTES;
    return FRAME_HEADER_BYTES + bytes.readUInt32BE(3) + 1;
  };
  /** @param {Buffer} frame @param {number} method */
  const isBasic = (frame, method) =>
    frame[0] === METHOD &&
    frame.length > FRAME_HEADER_BYTES + 4 &&
    frame.readUInt16BE(FRAME_HEADER_BYTES) === BASIC &&
    frame.readUInt16BE(FRAME_HEADER_BYTES + 2) === method;
  return {
    sent: splitFrames(lengthOf, (frame) => {
      if (isBasic(frame, PUBLISH)) counts.published += 1;
    }),
    answered: splitFrames(lengthOf, (frame) => {
      if (isBasic(frame, DELIVER)) counts.delivered += 1;
    }),
  };
}
