import { refusals } from './refusals';

test.each(Object.entries(refusals))(
  '%s says what it is about: it is read without its field',
  (_, refuse) => {
    expect(refuse.definition.message).not.toMatch(
      /^(must|may|or|is|are|has|names|needs|excludes|would|cannot) /,
    );
  },
);
