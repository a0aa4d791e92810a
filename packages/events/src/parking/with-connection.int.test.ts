import net, { type AddressInfo } from 'node:net';
import { testServers } from '@laurel/testing';
import { blocked, PUBLISH } from '../testing/cuttable-link';
import { Harness } from '../testing/harness';
import { measureQueues } from './measure';
import { listParked, redrive } from './parking';

describe('a look at a broker', () => {
  let harness: Harness;
  let broker: net.Server;
  let url: string;
  let onPublish: (near: net.Socket, far: net.Socket) => void;

  beforeEach(async () => {
    harness = await Harness.open();
    const there = new URL(testServers().rabbitmqUrl);
    const { port, hostname } = there;
    broker = net.createServer((near) => {
      const far = net.connect(Number(port), hostname);
      let isOver = false;
      near.on('data', (bytes) => {
        isOver ||= bytes.includes(PUBLISH);
        if (isOver) onPublish(near, far);
        else far.write(bytes);
      });
      far.on('data', (bytes) => near.write(bytes));
      for (const socket of [near, far])
        socket
          .on('error', () => undefined)
          .on('close', () => {
            near.destroy();
            far.destroy();
          });
    });
    await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
    there.port = String((broker.address() as AddressInfo).port);
    url = there.href;
  });
  afterEach(async () => {
    await new Promise((resolve) => broker.close(resolve));
    await harness.close();
  });

  it.each(['low on disk', 'low on memory'])('ends with the alarm it has: %s', async (reason) => {
    onPublish = (near) => near.write(blocked(reason));
    const said = `it takes nothing in: ${reason}`;
    await expect(measureQueues(url, harness.exchange)).rejects.toThrow(said);
    await expect(listParked(url, harness.exchange)).rejects.toThrow(said);
  });

  it('ends when the broker goes away meanwhile', async () => {
    onPublish = (_near, far) => far.destroy();
    await expect(measureQueues(url, harness.exchange)).rejects.toThrow();
  });

  it('ends when the broker falls silent', async () => {
    onPublish = (_near, far) => far.pause();
    await expect(measureQueues(url, harness.exchange)).rejects.toThrow();
  });

  it('ends when there is no queue of that name', async () => {
    await expect(redrive(url, harness.queueName())).rejects.toThrow('NOT_FOUND');
  });
});
