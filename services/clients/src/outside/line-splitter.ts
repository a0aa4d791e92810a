const LF = 0x0a;

/** One line of a file, and where in the file the next one begins. */
export interface FileLine {
  text: string;
  endsAt: number;
}

/** Cuts UTF-8 that arrives in pieces into lines. `startsAt` is where in the file the first piece begins. */
export class LineSplitter {
  private rest: Buffer = Buffer.alloc(0);
  private scanned = 0;

  constructor(private startsAt = 0) {}

  /** Takes the next piece and gives the lines that are complete now. */
  push(piece: Buffer): FileLine[] {
    this.rest = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
    const lines: FileLine[] = [];
    let begin = 0;
    let at = this.rest.indexOf(LF, this.scanned);
    for (; at !== -1; at = this.rest.indexOf(LF, begin)) {
      lines.push({ text: this.rest.toString('utf8', begin, at), endsAt: this.startsAt + at + 1 });
      begin = at + 1;
    }
    this.rest = this.rest.subarray(begin);
    this.startsAt += begin;
    this.scanned = this.rest.length;
    return lines;
  }

  /** How much of a line waits for its end. */
  get pendingBytes(): number {
    return this.rest.length;
  }

  /** The last line of a file that does not end with a line break. */
  end(): FileLine[] {
    if (this.rest.length === 0) return [];
    return [{ text: this.rest.toString('utf8'), endsAt: this.startsAt + this.rest.length }];
  }
}
