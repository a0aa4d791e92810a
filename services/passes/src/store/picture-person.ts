/** Of whom a picture is, and what becomes of it: the answer of all that is kept of uploaded and fetched images. */
export const picturePerson = {
  column: 'none: a pass that shows the picture names the client',
  merged: 'stays: goes where its pass goes',
  anonymized: 'by hand: use-cases/pass/forget-client.ts',
  deleted: 'as anonymized',
  exported: 'withheld: the pass is shown with what it names',
} as const;
