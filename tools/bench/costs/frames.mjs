// Splits a byte stream into what its length fields say it is made of.

/**
 * @param {(buffered: Buffer) => number} lengthOf how long the first frame of these bytes is; 0 where they do not say yet
 * @param {(frame: Buffer) => void} onFrame
 * @returns {(chunk: Buffer) => void}
 */
export function splitFrames(lengthOf, onFrame) {
  /** @type {Buffer[]} */
  let chunks = [];
  let size = 0;
  let wanted = 0;
  return (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size < wanted) return;
    let buffered = Buffer.concat(chunks);
    for (;;) {
      wanted = lengthOf(buffered);
      if (wanted === 0 || wanted > buffered.length) break;
      onFrame(buffered.subarray(0, wanted));
      buffered = buffered.subarray(wanted);
    }
    chunks = [buffered];
    size = buffered.length;
  };
}
