import { crc32 } from 'node:zlib';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;
/** The first of January 1980, midnight: archives have no earlier time, and this one is never looked at. */
const DATE = 0x0021;

/** A file as it stands in an archive, checksum included: the same bytes in every archive that it is put into. */
export interface ZipEntry {
  /** Header, name and content. */
  local: Buffer;
  /** The line about it at the end of the archive; where it stands is written when the archive is put together. */
  central: Buffer;
}

/**
 * A file for archives, stored as it is: what goes into passes is compressed already, or too small to be worth it.
 * (APPNOTE 4.3. Libraries compute the checksum of each file anew in each archive, which here would be most of the work.)
 */
export function zipEntry(name: string, content: Buffer): ZipEntry {
  const named = Buffer.from(name);
  const about = Buffer.alloc(LOCAL_BYTES - 4);
  about.writeUInt16LE(VERSION, 0);
  about.writeUInt16LE(FLAGS, 2);
  about.writeUInt16LE(DATE, 8);
  about.writeUInt32LE(crc32(content), 10);
  about.writeUInt32LE(content.length, 14);
  about.writeUInt32LE(content.length, 18);
  about.writeUInt16LE(named.length, 22);
  const central = Buffer.alloc(CENTRAL_BYTES);
  central.writeUInt32LE(CENTRAL, 0);
  central.writeUInt16LE(VERSION, 4);
  about.copy(central, 6);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(LOCAL);
  return {
    local: Buffer.concat([head, about, named, content]),
    central: Buffer.concat([central, named]),
  };
}

/** An archive of files, in this order. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  let at = 0;
  const lines = entries.map(({ local, central }) => {
    const line = Buffer.from(central);
    line.writeUInt32LE(at, 42);
    at += local.length;
    return line;
  });
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(
    lines.reduce((sum, line) => sum + line.length, 0),
    12,
  );
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...entries.map(({ local }) => local), ...lines, end]);
}
