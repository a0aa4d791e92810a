import { sanitizeStylesheet } from './stylesheets';

describe('a stylesheet from outside', () => {
  test.each([
    '.card { border-radius: 2rem; }\n\n/* a note */ .card:hover { color: #abc }',
    '@media (width < 600px) { .card { padding: 0 } }',
    '@keyframes rise { from { top: 1px } to { top: 0 } }',
    '.card { background: url("data:image/png;base64,AAAA") center }',
    ':root { --brand: #abc; --gap: calc(1rem + 2px) } .card { gap: var(--gap) }',
    '.card { &:hover { color: red } }',
    '.card { background: image-set("data:image/png;base64,AA" type("image/png") 1x, linear-gradient(red, rgb(0 0 0)) 2x) }',
    '.card { background: linear-gradient(var(--a), red); content: var(--b) }',
    '',
  ])('that does no harm stays as it was written: %s', (css) => {
    expect(sanitizeStylesheet(css)).toBe(css);
  });

  test.each([
    ['@import "x.css"; a{color:red}', 'a{color:red}'],
    ['@import url(//evil.example/x.css);a{color:red}', 'a{color:red}'],
    ['@\\69mport url(x); a{color:red}', 'a{color:red}'],
    ['@IMPORT"x";a{color:red}', 'a{color:red}'],
    ['@font-face{font-family:x;src:url(http://e)} a{color:red}', 'a{color:red}'],
    ['@namespace url(http://e); a{color:red}', 'a{color:red}'],
    ['a{background:url(http://e) no-repeat;color:red}', 'a{color:red}'],
    ['a{background:URL( "https://e" );color:red}', 'a{color:red}'],
    ['a{background:url(//e/x.png);color:red}', 'a{color:red}'],
    ['a{background:u\\72l(http://e);color:red}', 'a{color:red}'],
    ['a{background:u\\72l(//e);color:red}', 'a{color:red}'],
    ['a{background:\\75 rl(//e/x);color:red}', 'a{color:red}'],
    ['a{background:U\\rL(x);color:red}', 'a{color:red}'],
    ['a{background:image-set(u\\72l(//e) 1x);color:red}', 'a{color:red}'],
    ['a{--leak:u\\72l(//e);color:red}', 'a{color:red}'],
    ['@supports (background:u\\72l(//e)){a{color:red}} b{color:red}', 'b{color:red}'],
    ['a{background:image-set("http://e" 1x);color:red}', 'a{color:red}'],
    ['a{background:-webkit-image-set(url(http://e) 1x);color:red}', 'a{color:red}'],
    ['a{background:src("http://e");color:red}', 'a{color:red}'],
    [
      ':root{--x:"//e"} a{background:image-set(var(--x) 1x);color:red}',
      ':root{--x:"//e"}a{color:red}',
    ],
    ['a{background:-webkit-image-set(v\\61r(--x) 1x);color:red}', 'a{color:red}'],
    ['a{background:src(var(--x));color:red}', 'a{color:red}'],
    ['a{background:image(attr(data-x));color:red}', 'a{color:red}'],
    ['a{background:image-set(env(x) 1x);color:red}', 'a{color:red}'],
    ['a{background:image-set(if(else: "//e") 1x);color:red}', 'a{color:red}'],
    ['a{background:image-set(--mine() 1x);color:red}', 'a{color:red}'],
    ['a{--y:image-set(var(--x) 1x);color:red}', 'a{color:red}'],
    ['a{background:image-set(cross-fade("//e", red) 1x);color:red}', 'a{color:red}'],
    ['a{background:url("data:text/html,x");color:red}', 'a{color:red}'],
    ['a{--leak:url(http://e);color:red}', 'a{color:red}'],
    ['a{width:expression(alert(1));color:red}', 'a{color:red}'],
    ['a{width:e\\78pression(alert(1));color:red}', 'a{color:red}'],
    ['a{behavior:url(x.htc);-moz-binding:url(x);color:red}', 'a{color:red}'],
    ['@supports (background:url(http://e)){a{color:red}} b{color:red}', 'b{color:red}'],
    [
      '@media screen{@import url(x);a{background:url(http://e);color:red}}',
      '@media screen{a{color:red}}',
    ],
    ['</style><script>alert(1)</script> a{color:red} b{color:red}', 'b{color:red}'],
    ['/* </style> */ a{color:red}', 'a{color:red}'],
    ['/*! </style> */a{color:red}', '/*! <\\/style> */a{color:red}'],
    ['a{content:"</style><script>"}', 'a{content:"<\\/style><script>"}'],
  ])('loses what reaches out, and keeps the rest: %s', (css, left) => {
    expect(sanitizeStylesheet(css)).toBe(left);
  });

  test('has nothing left to lose once it was cleaned', () => {
    const css =
      '@import "x"; a{background:url(http://e);content:"</style>"} @media print{b{color:red}}';
    const once = sanitizeStylesheet(css);
    expect(sanitizeStylesheet(once)).toBe(once);
  });
});
