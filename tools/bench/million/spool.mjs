// Documents on their way into the store, put into the order of their times on disk: they are made client by client,
// but in real life they arrive in the order of time, all clients mixed, and lie in the store like that.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

const BUCKETS = 128;
const BUFFER_BYTES = 128 * 1_024;
/** Before each document: its length, the number of its collection, its time. */
const HEAD_BYTES = 4 + 1 + 8;

/**
 * @param {string} folder
 * @param {number} bucket
 * @param {number} share
 */
const fileOf = (folder, bucket, share) => path.join(folder, `${bucket}.${share}`);

/** Takes what one worker makes. */
export class SpoolWriter {
  #buckets;
  #from;
  #span;

  /** @param {{ folder: string, share: number, from: number, to: number }} options times in epoch milliseconds */
  constructor({ folder, share, from, to }) {
    mkdirSync(folder, { recursive: true });
    this.#from = from;
    this.#span = to - from + 1;
    this.#buckets = Array.from({ length: BUCKETS }, (_, bucket) => ({
      file: openSync(fileOf(folder, bucket, share), 'w'),
      buffer: Buffer.allocUnsafe(BUFFER_BYTES),
      used: 0,
    }));
  }

  /**
   * @param {number} collection
   * @param {number} at
   * @param {Uint8Array} bytes
   */
  add(collection, at, bytes) {
    const place = Math.floor(((at - this.#from) / this.#span) * BUCKETS);
    const bucket = this.#buckets[Math.max(0, Math.min(BUCKETS - 1, place))];
    const length = HEAD_BYTES + bytes.length;
    if (bucket.used + length > BUFFER_BYTES) this.#flush(bucket);
    const target = length > BUFFER_BYTES ? Buffer.allocUnsafe(length) : bucket.buffer;
    const start = target === bucket.buffer ? bucket.used : 0;
    target.writeUInt32LE(bytes.length, start);
    target.writeUInt8(collection, start + 4);
    target.writeDoubleLE(at, start + 5);
    target.set(bytes, start + HEAD_BYTES);
    if (target === bucket.buffer) bucket.used += length;
    else writeSync(bucket.file, target);
  }

  close() {
    for (const bucket of this.#buckets) {
      this.#flush(bucket);
      closeSync(bucket.file);
    }
  }

  #flush(bucket) {
    if (bucket.used > 0) writeSync(bucket.file, bucket.buffer, 0, bucket.used);
    bucket.used = 0;
  }
}

/**
 * Reads everything back, the earliest first, and forgets it on the way. Holds one part in 128 of it at a time.
 *
 * @param {string} folder
 * @param {number} shares how many have written
 * @returns {Generator<{ collection: number, bytes: Buffer }>}
 */
export function* readSpool(folder, shares) {
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const records = [];
    for (let share = 0; share < shares; share += 1) {
      const file = fileOf(folder, bucket, share);
      const content = readFileSync(file);
      rmSync(file);
      for (let at = 0; at < content.length; ) {
        const end = at + HEAD_BYTES + content.readUInt32LE(at);
        const bytes = content.subarray(at + HEAD_BYTES, end);
        records.push({ collection: content[at + 4], at: content.readDoubleLE(at + 5), bytes });
        at = end;
      }
    }
    yield* records.sort((a, b) => a.at - b.at);
  }
}
