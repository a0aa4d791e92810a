import { parentPort } from 'node:worker_threads';
import { createRecognizer } from './recognition';

/** A thread that reads one image after the other: an image in, what was recognized or why not out. */
const port = parentPort!;
const recognizer = createRecognizer();

port.on('message', async (image: Uint8Array) => {
  try {
    port.postMessage({ recognized: (await recognizer)(image) });
  } catch (error) {
    port.postMessage({ problem: (error as Error).message });
  }
});
