import { deserialize } from 'bson';
import { ConnectionLost, EngineError } from '../engine/failure';
import { MalformedBson } from '../wire/bson-scan';
import { codeInReply, codeOfState } from './codes';
import { isRetryable, toCommandError } from './command-error';

const engineError = (sqlstate: string, message = 'x') =>
  new EngineError({ sqlstate, message, detail: '' });
const TRANSIENT = ['TransientTransactionError'];

describe('error mapping', () => {
  it.each([
    ['23505', 11000, 'DuplicateKey'],
    ['23P01', 11000, 'DuplicateKey'],
    ['M001C', 11000, 'DuplicateKey'],
    ['57014', 50, 'MaxTimeMSExpired'],
    ['M000E', 43, 'CursorNotFound'],
    ['M0003', 9, 'FailedToParse'],
    ['M00ZZ', 96, 'OperationFailed'],
    ['XX000', 1, 'InternalError'],
  ])('state %s becomes code %i %s', (state, code, codeName) => {
    expect(codeOfState(state)).toEqual({ code, codeName });
  });

  it('reads the packed state of a duplicate key inside writeErrors', () => {
    expect(codeInReply(319029277).code).toBe(11000);
  });

  it('leaves a MongoDB code inside writeErrors as it is', () => {
    expect(codeInReply(121).code).toBe(121);
    expect(codeInReply(11000).code).toBe(11000);
  });

  it.each(['40001', '40P01', '55P03'])(
    '%s in a transaction is a write conflict that may be run again',
    (state) => {
      expect(toCommandError(engineError(state), true)).toMatchObject({
        code: 112,
        labels: TRANSIENT,
      });
      expect(toCommandError(engineError(state), false)).toMatchObject({ code: 112, labels: [] });
    },
  );

  it('a duplicate key in a transaction is not run again', () => {
    expect(toCommandError(engineError('23505'), true)).toMatchObject({ code: 11000, labels: [] });
  });

  it('a lost engine lets a transaction run again, and a single command fail as the server going down', () => {
    expect(toCommandError(new ConnectionLost('gone'), true)).toMatchObject({
      code: 11600,
      labels: TRANSIENT,
    });
    expect(toCommandError(new ConnectionLost('gone'), false).code).toBe(11600);
  });

  it.each([
    ['08006', 'the connection failed'],
    ['XX000', 'server closed the connection unexpectedly\n\tThis probably means ...'],
    ['XX000', 'connection to server at "localhost", port 9712 failed: Connection refused'],
  ])('state %s, "%s", is a lost engine: the extension was asking itself', (state, message) => {
    expect(toCommandError(engineError(state, message), true)).toMatchObject({
      code: 11600,
      labels: TRANSIENT,
    });
    expect(toCommandError(engineError(state, message), false).code).toBe(11600);
  });

  it('two clients that make the same collection are not taken for a duplicate document', () => {
    expect(isRetryable(engineError('42P07', 'relation "documents_7" already exists'))).toBe(true);
    const unseen = 'Unable to create the specified collection';
    expect(isRetryable(engineError('M0000', unseen))).toBe(true);
    expect(
      isRetryable(
        engineError(
          '23505',
          'duplicate key value violates unique constraint "pg_class_relname_nsp_index"',
        ),
      ),
    ).toBe(true);
    expect(isRetryable(engineError('23505', 'unique constraint "collection_pk_7"'))).toBe(false);
    expect(
      isRetryable(
        engineError('23505', "Duplicate key violation on the requested collection: Index 'a_1'"),
      ),
    ).toBe(false);
  });

  it("broken BSON is the client's fault, anything else unforeseen is ours", () => {
    expect(toCommandError(new MalformedBson('cut'), false).code).toBe(9);
    expect(toCommandError(new TypeError('oops'), false).code).toBe(1);
  });

  it('an error reply carries code, name, message and labels', () => {
    expect(deserialize(toCommandError(engineError('40001', 'lost'), true).toReply())).toEqual({
      ok: 0,
      errmsg: 'Write conflict: lost',
      code: 112,
      codeName: 'WriteConflict',
      errorLabels: TRANSIENT,
    });
  });
});
