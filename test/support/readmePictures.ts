/** The pictures of the README: a suite makes each of them from the window, `npm run screenshots` copies them to `media/screenshots`. */
export const readmePictures = ['explorer', 'sessions', 'level', 'past-run'] as const;

export type ReadmePicture = (typeof readmePictures)[number];

/** What a picture is called among those that suites leave in `screenshots`. */
export function suitePicture(name: ReadmePicture): string {
  return `readme-${name}`;
}
