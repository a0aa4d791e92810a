import type { Request, Response } from 'express';
import { asWritten, inPlain, plainPath } from './plain-path';

test.each([
  ['/service-api/embed/distributi%6fn/%41%2D%5f%7E', '/service-api/embed/distribution/A-_~'],
  ['/assets/%C3%A9%20%2F%00', '/assets/%C3%A9%20%2F%00'],
  ['/docs/%2e%2E/x', '/docs/%2e%2E/x'],
  ['/p/%2561', '/p/%2561'],
])('the path %s is %s to everything that looks at it', (sent, plain) => {
  expect(inPlain(sent)).toBe(plain);
});

test.each([
  ['/a/%6f', '/a/o'],
  ['/a/%6f?b=%6f?&c=1', '/a/o?b=%6f?&c=1'],
  ['/a?b=%6f', '/a?b=%6f'],
  ['/a', '/a'],
])('the request %s goes on as %s, its query as it came', (sent, plain) => {
  const request = { url: sent } as Request;
  let passed = 0;
  plainPath(request, {} as Response, () => {
    passed += 1;
  });
  expect([request.url, passed]).toEqual([plain, 1]);
});

test.each([
  ['/Service-API/Things/018F3C5E-7B1A-7C3D-9E2F-0123456789AB/', ''],
  ['/service-api/things/018f3c5e-7b1a-7c3d-9e2f-0123456789ab', '?of=A&b=?'],
])('%s%s goes on as the route writes it, its query as it came', (path, query) => {
  expect(asWritten('/service-api/things/:id', { path, url: `${path}${query}` })).toBe(
    `/service-api/things/018f3c5e-7b1a-7c3d-9e2f-0123456789ab${query}`,
  );
});

test.each(['/p/%', '/p/%%36%66', '/p/%2', '/p/%zz', '/%%36%66?q=%6f'])(
  'a path with a sign that encodes nothing is refused, as is %s: it could be read in two ways',
  (url) => {
    const heard: unknown[] = [];
    const request = { url } as Request;
    plainPath(request, {} as Response, (error?: unknown) => heard.push(error));
    expect(heard).toEqual([expect.objectContaining({ httpStatus: 400 })]);
    expect(request.url).toBe(url);
  },
);

test('what is no id keeps its capitals: a code or a slug may mean them', () => {
  const path = '/scan/AbC';
  expect(asWritten('/scan/:barcode', { path, url: path })).toBe('/scan/AbC');
});
