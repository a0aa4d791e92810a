import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  type Document,
  deserialize,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
} from 'bson';
import fc from 'fast-check';
import {
  assemble,
  elements,
  MalformedBson,
  readInteger,
  readString,
  readTruth,
  splitSequence,
} from './bson-scan';

const bytesOf = (document: Document) => Buffer.from(serialize(document));
const namesOf = (bytes: Buffer) => [...elements(bytes)].map(({ name }) => name);

describe('top-level BSON scan', () => {
  const everyType = {
    double: 1.5,
    string: 'café',
    document: { nested: { deep: 1 } },
    array: [1, 'two', { three: 3 }],
    binary: new Binary(Buffer.from([1, 2, 3])),
    uuidLike: new Binary(Buffer.alloc(16), 4),
    objectId: new ObjectId(),
    yes: true,
    date: new Date(),
    nothing: null,
    regex: new BSONRegExp('^a/b', 'im'),
    code: new Code('return 1'),
    scoped: new Code('return x', { x: 1 }),
    int32: 7,
    timestamp: new Timestamp({ t: 1, i: 2 }),
    int64: Long.fromNumber(2 ** 40),
    decimal: Decimal128.fromString('1.10'),
    min: new MinKey(),
    max: new MaxKey(),
    last: '',
  };

  it('finds every field of a document that holds every BSON type', () => {
    expect(namesOf(bytesOf(everyType))).toEqual(Object.keys(everyType));
  });

  it('puts any subset of fields together to the document that a serializer would make', () => {
    const bytes = bytesOf(everyType);
    fc.assert(
      fc.property(fc.subarray(Object.keys(everyType)), (kept) => {
        const parts = [...elements(bytes)].filter(({ name }) => kept.includes(name));
        const document = assemble(parts.map(({ start, end }) => bytes.subarray(start, end)));
        const expected = Object.entries(everyType).filter(([name]) => kept.includes(name));
        expect(document).toEqual(bytesOf(Object.fromEntries(expected)));
      }),
    );
  });

  it('agrees with a full decoder on any JSON document', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z$._]{1,12}$/), fc.jsonValue()),
        (document) => {
          const bytes = bytesOf(document);
          expect(namesOf(bytes)).toEqual(Object.keys(deserialize(bytes)));
        },
      ),
    );
  });

  it('reads numbers of every width, truth and text', () => {
    const bytes = bytesOf({
      a: 5,
      b: Long.fromString('9007199254740993'),
      c: 2.9,
      d: 'x',
      e: 1.0,
      f: false,
    });
    const [a, b, c, d, e, f] = [...elements(bytes)];
    expect([a, b, c, d].map((element) => readInteger(bytes, element!))).toEqual([
      5n,
      9007199254740993n,
      2n,
      undefined,
    ]);
    expect(readString(bytes, d!)).toBe('x');
    expect([e, f].map((element) => readTruth(bytes, element!))).toEqual([true, false]);
  });

  it('refuses cut or overlong documents instead of reading beyond them', () => {
    const whole = bytesOf(everyType);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, value) => {
        const broken = Buffer.from(whole);
        broken[at] = value;
        try {
          for (const { end } of elements(broken)) expect(end).toBeLessThan(broken.length);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedBson);
        }
      }),
    );
    expect(() => [...elements(whole.subarray(0, -1))]).toThrow(MalformedBson);
  });

  it('cuts a document sequence into its documents and refuses a broken one', () => {
    const documents = [{ a: 1 }, { b: 'x' }, {}].map(bytesOf);
    expect([...splitSequence(Buffer.concat(documents))]).toEqual(documents);
    expect(() => [...splitSequence(Buffer.from([9, 0, 0, 0]))]).toThrow(MalformedBson);
  });
});
