/** Lines of one group follow each other within this time, in milliseconds: a dump is written at once. */
export const groupGap = 100;
