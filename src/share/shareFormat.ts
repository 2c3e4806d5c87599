/** What a run is written as: a page with the Log Explorer, or a text for an issue. */
export const shareFormats = ['html', 'markdown'] as const;
export type ShareFormat = (typeof shareFormats)[number];
