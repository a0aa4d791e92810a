import { PassThrough, type Readable } from 'node:stream';
import { complaintAboutLine, complaintAboutText, invalidField } from '@laurel/errors';
import { mayFail } from '@laurel/lifecycle';
import busboy from 'busboy';
import type { Request } from 'express';

/** What a multipart body may be made of besides its one file. */
const FIELDS_MAX = 10;
const FIELD_NAME_BYTES_MAX = 100;
const FIELD_BYTES_MAX = 1_024;
const PART_HEADERS_MAX = 20;
/** Room for boundaries, headers of parts, and fields. */
const FRAME_BYTES_MAX = 64 * 1_024;

export interface MultipartBounds {
  fileBytesMax: number;
  /** What is thrown for more, however it is sent. */
  tooLarge: () => Error;
}

export interface FilePart {
  filename: string;
  content: Readable;
  /** The fields that came so far; all of them once `content` has ended and `settled` has. */
  fields: Readonly<Record<string, string>>;
  settled: Promise<void>;
}

/**
 * The part `file` of a multipart body, as a stream, and the fields beside it. Everything is bounded and counted as it
 * comes, whatever length was declared: the body, the file, how many parts there are, their names, values and headers.
 * What goes beyond ends the stream with the refusal.
 */
export function filePartOf(request: Request, bounds: MultipartBounds): Promise<FilePart> {
  const { fileBytesMax, tooLarge } = bounds;
  if (Number(request.headers['content-length'] ?? 0) > fileBytesMax + FRAME_BYTES_MAX)
    return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const fields: Record<string, string> = {};
    let file: Readable | null = null;
    let settle: () => void = () => undefined;
    let fault: (error: Error) => void = () => undefined;
    const settled = new Promise<void>((done, failed) => {
      settle = done;
      fault = failed;
    });
    // The route that waits for the file may never come to wait for the end.
    settled.catch(mayFail('the file tells of it'));
    const parser = parserOf(request, fileBytesMax);
    if (!parser) return reject(malformed());
    const refuse = (error: Error) => {
      request.unpipe(parser);
      file?.destroy(error);
      fault(error);
      reject(error);
    };
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > fileBytesMax + FRAME_BYTES_MAX) refuse(tooLarge());
    });
    parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
      const complaint =
        complaintAboutText(name) ??
        complaintAboutText(value) ??
        (nameTruncated || valueTruncated ? 'is too long' : null);
      if (complaint) refuse(invalidField(name, `${name} ${complaint}`));
      else if (Object.keys(fields).length < FIELDS_MAX) fields[name] = value;
    });
    parser.on('file', (name, part, { filename }) => {
      // A form that breaks off fails the part it broke off in, which may be unread: the parser tells of it, too.
      part.on('error', () => undefined);
      if (name !== 'file' || file) return void part.resume();
      const complaint = complaintAboutLine(filename ?? '');
      if (complaint) {
        part.resume();
        return refuse(invalidField('file', `the name of the file ${complaint}`));
      }
      const content = new PassThrough();
      content.on('error', () => undefined);
      part.on('error', () => content.destroy(malformed()));
      part.on('limit', () => refuse(tooLarge()));
      part.pipe(content);
      file = content;
      resolve({ filename: filename ?? 'file', content, fields, settled });
    });
    const isTooMuch = () =>
      refuse(invalidField('file', 'send the file alone, with few other parts'));
    parser.on('fieldsLimit', isTooMuch);
    parser.on('partsLimit', isTooMuch);
    parser.on('error', () => refuse(malformed()));
    parser.on('close', () => {
      settle();
      reject(missing());
    });
    request.on('aborted', () => refuse(new Error('the upload was broken off')));
    request.pipe(parser);
  });
}

function parserOf(request: Request, fileBytesMax: number) {
  try {
    return busboy({
      headers: request.headers,
      // Browsers send the names of files as UTF-8 and say nothing of it.
      defParamCharset: 'utf8',
      limits: {
        files: 2,
        fields: FIELDS_MAX,
        parts: FIELDS_MAX + 2,
        fieldNameSize: FIELD_NAME_BYTES_MAX,
        fieldSize: FIELD_BYTES_MAX,
        headerPairs: PART_HEADERS_MAX,
        // At the limit itself the parser cannot tell whether more comes.
        fileSize: fileBytesMax + 1,
      },
    });
  } catch {
    return null;
  }
}

const malformed = () => invalidField('file', 'the multipart body is malformed');
const missing = () => invalidField('file', 'a part named file is required');
