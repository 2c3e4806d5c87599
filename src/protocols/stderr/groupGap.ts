/** Maximum time between two lines of a group, in milliseconds: a dump is written at once. */
export const groupGap = 100;
