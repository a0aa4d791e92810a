/** In whose name a letter is written, and how that looks. */
export interface Brand {
  /** One line. */
  name: string;
  /** #RRGGBB, of the bar above it and its buttons. */
  colour: string;
  /** Shown above the letter; http(s) only. */
  logoUrl: string | null;
  /** Where an answer to the letter goes; the platform's own address where there is none. */
  replyTo?: string | null;
  /** What stands below every letter; http(s) only. */
  privacyUrl?: string | null;
  imprintUrl?: string | null;
}

/** One piece of a letter: a paragraph, a code in it that is to be typed, a list, or a place to go to. */
export type LetterPart =
  | { text: string; code?: string }
  | { list: readonly string[] }
  | {
      /** Before the address, in plain text and above the button where that says something else. */
      words: string;
      url: string;
      /** On the button; the words again where it is left out. */
      button?: string;
      /** What the letter is for: drawn as the button that is seen first. */
      isMain?: boolean;
    };

export interface Letter {
  /** Of its words, e.g. `de`. */
  language: string;
  subject: string;
  parts: readonly LetterPart[];
  /** Why somebody gets it, below it. */
  why?: string;
  /** Left out where no shop writes, but the platform. */
  brand?: Brand;
}
