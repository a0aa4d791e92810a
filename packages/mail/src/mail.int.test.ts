import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unitOfWork } from '@laurel/mongo';
import { silentLogger, type TestStore, testStore, until, workOffJob } from '@laurel/testing';
import { startWork } from '@laurel/work';
import {
  createMessageQueue,
  createTransports,
  type NewMessage,
  type Outgoing,
  queuedMessages,
} from '.';

const mail: NewMessage = {
  channel: 'email',
  to: 'ada@example.com',
  subject: 'Hello',
  text: 'Your code is 123456.',
  workspaceId: null,
};

describe('the message queue', () => {
  let store: TestStore;
  let sent: Outgoing[];
  /** What the server says beside its no. */
  let failing: boolean | object;
  /** What a message is waiting for, by whom it is to. */
  let pending: Map<string, Promise<void>>;
  let running: ReturnType<typeof startWork>;
  beforeEach(async () => {
    store = await testStore([queuedMessages]);
    sent = [];
    failing = false;
    pending = new Map();
    const { connection } = store;
    running = startWork({
      service: 'test',
      jobs: queue().jobs,
      connection,
      logger: silentLogger,
    });
  });
  afterEach(async () => {
    await running.stop();
    await store.drop();
  });

  const rows = () => store.connection.collection('messages');
  const queue = () =>
    createMessageQueue(
      store.connection,
      async (message) => {
        if (failing) throw Object.assign(new Error('the server is away'), failing);
        sent.push(message);
        await pending.get(message.to);
      },
      silentLogger,
    );
  const enqueue = (message: NewMessage = mail) =>
    unitOfWork(store.connection, (session) => queue().enqueue(message, session));
  const sendDue = async () => {
    const { jobs } = queue();
    await Promise.all(jobs.map(({ name }) => workOffJob(jobs, name)));
  };
  const makeDue = () => rows().updateMany({}, { $set: { due_at: new Date(0) } });

  test('sends what was committed, at once, and keeps no copy', async () => {
    await enqueue();
    await until(() => sent.length === 1);
    expect(sent[0]).toMatchObject({ to: 'ada@example.com', text: 'Your code is 123456.' });
    await until(async () => (await rows().countDocuments()) === 0);
  });

  test('sends nothing that was not committed', async () => {
    const undone = unitOfWork(store.connection, async (session) => {
      await queue().enqueue(mail, session);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await sendDue();
    expect(sent).toEqual([]);
  });

  /** As the only runner, so that none is about to send when the server is back. */
  async function failToSend(message: NewMessage = mail): Promise<void> {
    await running.stop();
    failing = true;
    await enqueue(message);
    await sendDue();
    expect(await rows().countDocuments({ attempts: 1 })).toBe(1);
    failing = false;
  }

  test('tries again until it left, under the same id', async () => {
    await failToSend({ ...mail, id: 'the-one' });
    await makeDue();
    await sendDue();
    expect(sent.map(({ id }) => id)).toEqual(['the-one']);
  });

  test('takes over from a process that died while sending', async () => {
    await failToSend();
    await rows().updateMany({}, { $set: { due_at: new Date(Date.now() + 60_000) } });
    await sendDue();
    expect(sent).toEqual([]);
    await makeDue();
    await Promise.all([sendDue(), sendDue(), sendDue()]);
    expect(sent).toHaveLength(1);
  });

  const tryTimes = async (times: number) => {
    await running.stop();
    for (let attempt = 0; attempt < times; attempt += 1) {
      await makeDue();
      await sendDue();
    }
  };

  test('gives up in the end', async () => {
    failing = true;
    await enqueue();
    await tryTimes(1);
    await rows().updateMany({}, { $set: { attempts: 90 } });
    await tryTimes(9);
    expect(await rows().countDocuments()).toBe(1);
    await tryTimes(1);
    expect(await rows().countDocuments()).toBe(0);
  });

  test('does not give up while the server is away for a night', async () => {
    failing = true;
    await enqueue();
    await tryTimes(40);
    failing = false;
    await tryTimes(1);
    expect(sent).toHaveLength(1);
  });

  test.each([
    [{ code: 'EENVELOPE', responseCode: 550 }, 0],
    [{ code: 'EENVELOPE' }, 0],
    [{ code: 'EENVELOPE', responseCode: 450 }, 1],
    [{ code: 'EENVELOPE', responseCode: 530, command: 'MAIL FROM' }, 1],
    [{ code: 'EAUTH', responseCode: 535 }, 1],
    [{ status: 400 }, 0],
    [{ status: 429 }, 1],
    [{ status: 503 }, 1],
  ])(
    'gives up within the hour what its receiver does not take, and nothing else: %j',
    async (answer, left) => {
      failing = answer;
      await enqueue();
      await tryTimes(12);
      expect(await rows().countDocuments()).toBe(left);
    },
  );

  describe('with many mails of one shop on their way', () => {
    const few: NewMessage = { ...mail, to: 'bo@example.com', workspaceId: 'few' };
    let answer: () => void;
    beforeEach(async () => {
      const answered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      pending.set('ada@example.com', answered);
      for (let at = 0; at < 10; at += 1) await enqueue({ ...mail, workspaceId: 'many' });
      await until(() => sent.length === 4);
    });
    afterEach(() => answer());

    test.each<[string, NewMessage]>([
      ['another shop', few],
      ['no shop', { ...few, workspaceId: null }],
      ['the same shop, as a text', { ...few, channel: 'sms', workspaceId: 'many' }],
    ])('what is of %s does not wait for them', async (_whose, message) => {
      await enqueue(message);
      await until(() => sent.some(({ to }) => to === message.to));
      expect(sent).toHaveLength(5);
    });
  });

  test('drops what is of no use any more, and what belongs to a workspace that is gone', async () => {
    failing = true;
    await enqueue({ ...mail, expiresAt: new Date(Date.now() - 1) });
    await until(async () => (await rows().countDocuments()) === 0);
    await enqueue({ ...mail, workspaceId: 'gone' });
    await until(async () => (await rows().countDocuments({ attempts: 1 })) === 1);
    await queuedMessages.removeWorkspace(store.connection, 'gone');
    expect(await rows().countDocuments()).toBe(0);
  });
});

describe('transports', () => {
  const message: Outgoing = {
    id: 'the-one',
    channel: 'email',
    to: 'ada@example.com',
    subject: 'Zażółć\r\nBcc: everybody@example.com',
    text: `Café\nhttp://localhost/reset-password?token=${'ab'.repeat(64)}`,
  };
  const config = (mailOutboxDir: string, smsWebhookUrl?: string) => ({
    smtpUrl: undefined,
    smsWebhookUrl,
    mailOutboxDir,
    mailFrom: undefined,
    publicUrl: 'http://localhost',
  });
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'laurel-mail-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('say in the log when mails or texts have no server to go through, and only then', () => {
    const warned: string[] = [];
    const telling = { warn: (_facts: object, text: string) => warned.push(text) } as never;
    createTransports(config(folder), telling).close();
    expect(warned).toEqual([
      expect.stringContaining('SMTP_URL is not set'),
      expect.stringContaining('SMS_WEBHOOK_URL is not set'),
    ]);
    const served = { ...config(folder, 'http://sms.test/'), smtpUrl: 'smtp://mail.test' };
    createTransports(served, telling).close();
    expect(warned).toHaveLength(2);
  });

  test('write mails whole, with links in one piece and no header that the text brought along', async () => {
    await createTransports(config(folder), silentLogger).deliver(message);
    expect(await readdir(folder)).toEqual(['the-one.eml']);
    const eml = await readFile(path.join(folder, 'the-one.eml'), 'utf8');
    expect(eml).toContain(`?token=${'ab'.repeat(64)}`);
    expect(eml).toContain('Café');
    expect(eml).not.toMatch(/^Bcc:/m);
  });

  test('send from the host of the platform, unless another address is set', async () => {
    const from = async (more: object) => {
      const settings = { ...config(folder), publicUrl: 'https://loyalty.example:8443', ...more };
      await createTransports(settings, silentLogger).deliver(message);
      return (await readFile(path.join(folder, 'the-one.eml'), 'utf8')).split('\r\n')[0];
    };
    expect(await from({})).toBe('From: Laurel <no-reply@loyalty.example>');
    const mailFrom = 'Corner Coffee <hello@shop.example>';
    expect(await from({ mailFrom })).toBe('From: Corner Coffee <hello@shop.example>');
  });

  test('carry both forms of a mail that has two', async () => {
    await createTransports(config(folder), silentLogger).deliver({
      ...message,
      html: '<b>Café</b>',
    });
    const eml = await readFile(path.join(folder, 'the-one.eml'), 'utf8');
    expect(eml).toMatch(
      /multipart\/alternative[\s\S]+text\/plain[\s\S]+text\/html[\s\S]+<b>Café<\/b>/,
    );
  });

  test.each(['=?utf-8?B?aHR0cDovL3BoaXNoLmV4YW1wbGU=?=', '=?, <ceo@bank.example>'])(
    'show a name as it stands, though mail programs would decode it or see a second sender: %s',
    async (name) => {
      const named = { ...message, fromName: name, subject: `From ${name}` };
      await createTransports(config(folder), silentLogger).deliver(named);
      const eml = await readFile(path.join(folder, 'the-one.eml'), 'utf8');
      const [from, , subject] = eml.split('\r\n');
      expect(from).toBe(`From: "${name.replaceAll('=?', '= ?')}" <no-reply@localhost>`);
      expect(subject).toBe(`Subject: From ${name.replaceAll('=?', '= ?')}`);
    },
  );

  test('write texts into the same folder', async () => {
    await createTransports(config(folder), silentLogger).deliver({
      ...message,
      channel: 'sms',
      to: '+48501234567',
    });
    const text = await readFile(path.join(folder, 'the-one.sms.txt'), 'utf8');
    expect(text).toContain('To: +48501234567');
  });

  describe('with an SMTP server', () => {
    let server: net.Server;
    let connections: number;
    let taken: number;
    beforeEach(async () => {
      [connections, taken] = [0, 0];
      server = net.createServer((socket) => {
        connections += 1;
        let said = '';
        socket.on('error', () => undefined).write('220 ready\r\n');
        socket.on('data', (bytes) => {
          said += bytes;
          const isText = said.startsWith('DATA\r\n');
          if (said === 'DATA\r\n') socket.write('354 go on\r\n');
          if (isText && !said.endsWith('\r\n.\r\n')) return;
          taken += isText ? 1 : 0;
          said = '';
          socket.write('250 ok\r\n');
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    afterEach(() => {
      server.close();
    });

    test('hand several mails over on one connection, and wait for no silence longer than a minute', async () => {
      const silences = jest.spyOn(net.Socket.prototype, 'setTimeout');
      const { port } = server.address() as AddressInfo;
      const smtpUrl = `smtp://127.0.0.1:${port}`;
      const transports = createTransports({ ...config(folder), smtpUrl }, silentLogger);
      for (let at = 0; at < 3; at += 1) await transports.deliver(message);
      transports.close();
      expect([taken, connections]).toEqual([3, 1]);
      const waits = silences.mock.calls.map(([ms]) => ms);
      silences.mockRestore();
      expect(Math.max(...waits)).toBe(60_000);
    });
  });

  describe('with an SMS provider', () => {
    let server: Server;
    let status: number;
    let received: unknown[];
    beforeEach(async () => {
      received = [];
      server = createServer((request, response) => {
        let body = '';
        request.on('data', (chunk) => {
          body += chunk;
        });
        request.on('end', () => {
          received.push(JSON.parse(body));
          response.writeHead(status).end();
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    afterEach(() => {
      server.close();
    });

    const deliver = () => {
      const { port } = server.address() as AddressInfo;
      const transports = createTransports(
        config(folder, `http://127.0.0.1:${port}/sms`),
        silentLogger,
      );
      return transports.deliver({
        id: 'the-one',
        channel: 'sms',
        to: '+48501234567',
        text: 'Hello',
      });
    };

    test('hand texts over to it', async () => {
      status = 202;
      await deliver();
      expect(received).toEqual([{ id: 'the-one', to: '+48501234567', text: 'Hello' }]);
    });

    test('count its refusal as a failure', async () => {
      status = 500;
      await expect(deliver()).rejects.toThrow('500');
    });
  });
});
