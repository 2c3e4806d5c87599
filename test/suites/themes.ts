/** Built-in themes that differ most, by the window's CSS class. */
export const themes = {
  'Default Dark Modern': 'vs-dark',
  'Default Light Modern': 'vs',
  'Default High Contrast': 'hc-black',
  'Default High Contrast Light': 'hc-light',
} as const;

export type Theme = keyof typeof themes;
