import { inPlain } from './plain-path';

test.each([
  ['/service-api/embed/distributi%6fn/%41%2D%5f%7E', '/service-api/embed/distribution/A-_~'],
  ['/assets/%C3%A9%20%2F%00', '/assets/%C3%A9%20%2F%00'],
  ['/docs/%2e%2E/x', '/docs/%2e%2E/x'],
  ['/p/%2561', '/p/%2561'],
  ['/p/%', '/p/%'],
])('the path %s is %s to everything that looks at it', (sent, plain) => {
  expect(inPlain(sent)).toBe(plain);
});
