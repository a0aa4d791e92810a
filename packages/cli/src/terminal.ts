/** What a command sees of the world; tests have one of their own. */
export interface Terminal {
  /** What was asked for; bytes stay as they are, since not everything is text. */
  out(piece: string | Uint8Array): void;
  /** What is said beside it: progress, notes, refusals. */
  err(text: string): void;
  /** Whether somebody looks at `err`: no bars and no colour otherwise. */
  isTty: boolean;
  env: Readonly<Record<string, string | undefined>>;
  /** Where settings of this user are kept. */
  configFolder: string;
  /** All of what was piped in, as it came: not everything is text, and not all text is in one encoding. */
  readInput(): Promise<Uint8Array<ArrayBuffer>>;
  /** Asks the person at the terminal; rejects with a UsageError where there is none. */
  ask(question: string, options?: { isHidden?: boolean }): Promise<string>;
  /** Ends with Ctrl-C. */
  interrupted: AbortSignal;
  /**
   * From here on what the command says must be read, as it is said once: that standard output is closed is no success.
   *
   * @param lastWords for a command that goes on until a change is done: they are said where somebody insists on its end
   * before. Where standard output is gone they, and all else that it says, stand on standard error, and it is interrupted.
   */
  mustBeHeard(lastWords?: () => void): void;
}
