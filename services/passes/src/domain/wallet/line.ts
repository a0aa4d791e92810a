/** A line of a pass as it is shown. */
export interface Line {
  key: string;
  label: string;
  value: string;
  /** Where the line leads, when it is a link. */
  url?: string;
}
