import { pictureAddress } from './picture-address';

const ID = '0198f3a0-0000-7000-8000-00000000000c';

test('a picture that was uploaded is asked for in the size in which it is drawn', () => {
  expect(pictureAddress(ID, 'width=480')).toBe(`/assets/${ID}?width=480`);
  expect(pictureAddress(` ${ID.toUpperCase()} `, 'width=480')).toBe(
    `/assets/${ID.toUpperCase()}?width=480`,
  );
});

test.each(['https://shop.example/coffee.png', '/pictures/coffee.png'])(
  'a picture at %s is taken from there',
  (address) => {
    expect(pictureAddress(address, 'width=480')).toBe(address);
  },
);

test.each(['', 'coffee', '${custom_fields.photo}'])('nothing is drawn for "%s"', (source) => {
  expect(pictureAddress(source, 'width=480')).toBeNull();
});
