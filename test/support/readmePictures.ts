/** The pictures of the documents. `npm run screenshots` takes them with a suite and copies them to `media/screenshots`. */
export const readmePictures = [
  'explorer',
  'turns',
  'sessions',
  'level',
  'past-run',
  'share',
  'waterfall',
  'saved-sessions',
] as const;

export type ReadmePicture = (typeof readmePictures)[number];

/** The pictures of the walkthrough's steps, in dark only, because they are packaged. The same command puts them into `media/walkthrough`. */
export const walkthroughPictures = ['sample', 'addAgent', 'level', 'problems'] as const;

export type WalkthroughPicture = (typeof walkthroughPictures)[number];

/** The name of a picture in the `screenshots` folder of the suites. */
export function suitePicture(name: ReadmePicture): string {
  return `readme-${name}`;
}

/** The same for a picture of the walkthrough. */
export function stepPicture(name: WalkthroughPicture): string {
  return `walkthrough-${name}`;
}
