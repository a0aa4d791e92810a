import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '../..');
const ROW = /^\| (.+?) \| `([^`]+\.test\.tsx?)`: "(.+)" \|$/gm;
/** Documents with tables of findings, and how many rows each has at least: one that is reformatted would hold nothing. */
const DOCUMENTS = { 'docs/security.md': 60, 'docs/review.md': 162 };

/** A finding, a file of tests, and what one of them is called or which case of it is meant. */
const findingsIn = (document: string) =>
  [...readFileSync(path.join(ROOT, document), 'utf8').matchAll(ROW)].map(
    ([, finding, file, title]) => ({ finding: finding!, file: file!, title: title! }),
  );
const findings = Object.keys(DOCUMENTS).flatMap(findingsIn);

test.each(Object.entries(DOCUMENTS))('the findings of %s are there', (document, least) => {
  expect(findingsIn(document).length).toBeGreaterThanOrEqual(least);
});

test.each(findings)('$finding is kept closed by a test of that name', ({ file, title }) => {
  expect(readFileSync(path.join(ROOT, file), 'utf8')).toContain(title);
});
