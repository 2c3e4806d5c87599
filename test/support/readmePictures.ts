/** The pictures of the documents. `npm run screenshots` takes them with a suite and copies them to `media/screenshots`. */
export const readmePictures = ['explorer', 'sessions', 'level', 'past-run'] as const;

export type ReadmePicture = (typeof readmePictures)[number];

/** The name of a picture in the `screenshots` folder of the suites. */
export function suitePicture(name: ReadmePicture): string {
  return `readme-${name}`;
}
