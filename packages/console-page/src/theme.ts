import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** One accent; its seventh shade holds 4.5 with white on it in both schemes. */
export const theme = createTheme({
  primaryColor: 'laurel',
  primaryShade: { light: 7, dark: 7 },
  colors: {
    laurel: [
      '#e9f4ee',
      '#d3e8dd',
      '#a9d3bd',
      '#7dbd9b',
      '#55a97d',
      '#37936a',
      '#257f59',
      '#1b6b4c',
      '#15573d',
      '#0e412d',
    ],
  },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
  defaultRadius: 'md',
});

/** Mantine's own red is too pale for small text. */
export const errorColours: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-error': '#a6251e', '--mantine-color-red-outline': '#a6251e' },
  dark: { '--mantine-color-error': '#ffb3ab', '--mantine-color-red-outline': '#ffb3ab' },
});
