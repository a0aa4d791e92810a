import { html, type VNode } from '../vendor/preact.js';

// Drawn for this page, 24 by 24, in the colour of the text around them. Decoration only: words stand beside them.
const SHAPES = {
  home: 'M3 11.5 12 4l9 7.5M5.5 9.5V20h13V9.5M9.5 20v-6h5v6',
  rewards: 'M4 11h16v9H4zM3 7.5h18V11H3zM12 7.5V20M12 7.5C10 3 5 4 7 7.5M12 7.5C14 3 19 4 17 7.5',
  statement: 'M7 4v16M7 4 3.500 7.500M7 4l3.500 3.500M17 20V4M17 20l-3.500-3.500M17 20l3.500-3.500',
  history: 'M12 7v5l3.5 2M4 12a8 8 0 1 0 2.6-5.9M4 4v4h4',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 20.5c1-4 4-6 8-6s7 2 8 6',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  check: 'm5 12.5 4.5 4.5L19 7',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  share: 'M12 15V3.5M7.5 8 12 3.5 16.5 8M5 13v7h14v-7',
  star: 'm12 3.5 2.6 5.5 6 .8-4.400 4.200 1.100 6-5.300-2.900L6.700 20l1.100-6L3.400 9.800l6-.8z',
  people:
    'M9 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM2.500 20c.700-3.800 3-5.500 6.500-5.500s5.800 1.700 6.500 5.500M16 4.800a3.500 3.500 0 0 1 0 6.400M18 14.900c2 .700 3.200 2.300 3.600 5.100',
  card: 'M3 6h18v12H3zM3 10h18M6.500 14.500h4',
  close: 'M6 6l12 12M18 6 6 18',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { name: IconName }): VNode {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d=${SHAPES[name]} />
  </svg>`;
}
