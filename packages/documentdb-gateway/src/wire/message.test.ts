import { deserialize, serialize } from 'bson';
import fc from 'fast-check';
import { parseCommand } from './command';
import {
  encodeReply,
  MessageSplitter,
  OP_MSG,
  OP_QUERY,
  ProtocolError,
  parseRequest,
} from './message';

function opMsg(document: object, sequences: Record<string, object[]> = {}, flags = 0): Buffer {
  const parts = [Buffer.from([0]), Buffer.from(serialize(document))];
  for (const [name, documents] of Object.entries(sequences)) {
    const body = Buffer.concat([
      Buffer.from(`${name}\0`),
      ...documents.map((each) => Buffer.from(serialize(each))),
    ]);
    const size = Buffer.alloc(4);
    size.writeInt32LE(body.length + 4);
    parts.push(Buffer.from([1]), size, body);
  }
  const payload = Buffer.concat(parts);
  const head = Buffer.alloc(20);
  for (const [index, value] of [payload.length + 20, 7, 0, OP_MSG].entries()) {
    head.writeInt32LE(value, index * 4);
  }
  head.writeUInt32LE(flags, 16);
  return Buffer.concat([head, payload]);
}

describe('wire messages', () => {
  it('reads the body and the document sequences of OP_MSG', () => {
    const request = parseRequest(
      opMsg({ insert: 'c', $db: 'd' }, { documents: [{ _id: 1 }, { _id: 2 }] }),
    );
    expect(deserialize(request.body)).toEqual({ insert: 'c', $db: 'd' });
    expect(request.sequences.get('documents')).toEqual(
      Buffer.concat(
        [serialize({ _id: 1 }), serialize({ _id: 2 })].map((each) => Buffer.from(each)),
      ),
    );
  });

  it('hands the engine the command without the fields of session and routing, byte for byte', () => {
    const filter = { a: { $gt: 1 }, lsid: 'a field of the same name below the top level stays' };
    const command = parseCommand(
      parseRequest(
        opMsg({
          find: 'c',
          filter,
          lsid: { id: 1 },
          limit: 3,
          $db: 'd',
          txnNumber: 4n,
          maxTimeMS: 50,
        }),
      ),
    );
    expect(command.spec).toEqual(Buffer.from(serialize({ find: 'c', filter, limit: 3 })));
    expect(command).toMatchObject({
      name: 'find',
      target: 'c',
      db: 'd',
      txnNumber: 4n,
      maxTimeMs: 50,
    });
  });

  it('answers OP_QUERY with OP_REPLY, as old handshakes expect', () => {
    const document = Buffer.from(serialize({ isMaster: 1 }));
    const name = Buffer.from('admin.$cmd\0');
    const query = Buffer.concat([Buffer.alloc(20), name, Buffer.alloc(8), document]);
    query.writeInt32LE(query.length, 0);
    query.writeInt32LE(OP_QUERY, 12);
    const request = parseRequest(query);
    const reply = encodeReply(request, serialize({ ok: 1 }), 1);
    expect(deserialize(request.body)).toEqual({ isMaster: 1 });
    expect(reply.readInt32LE(12)).toBe(1);
    expect(deserialize(reply.subarray(36))).toEqual({ ok: 1 });
  });

  it.each([
    ['an unknown required flag', opMsg({ ping: 1 }, {}, 8)],
    ['an opcode of another age', Object.assign(opMsg({ ping: 1 }), {}).fill(1, 12, 13)],
  ])('refuses %s', (_what, message) => {
    expect(() => parseRequest(message)).toThrow(ProtocolError);
  });

  it('cuts a stream into the same messages wherever the network cuts it', () => {
    const messages = [
      opMsg({ ping: 1 }),
      opMsg({ insert: 'c' }, { documents: [{ a: 'x'.repeat(300) }] }),
      opMsg({ hello: 1 }),
    ];
    const stream = Buffer.concat(messages);
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 12 }), (points) => {
        const cuts = [0, ...points.sort((a, b) => a - b), stream.length];
        const splitter = new MessageSplitter();
        const got = cuts
          .slice(1)
          .flatMap((to, index) => splitter.push(stream.subarray(cuts[index], to)));
        expect(got).toEqual(messages);
      }),
    );
  });

  it('refuses a message longer than announced as the limit', () => {
    const head = Buffer.alloc(16);
    head.writeInt32LE(48_000_001, 0);
    expect(() => new MessageSplitter().push(head)).toThrow(ProtocolError);
  });
});
