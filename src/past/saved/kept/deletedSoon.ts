/** Sessions that will be deleted within this time are copied, and the user is told of the others, in milliseconds. */
export const deletedSoon = 3 * 86_400_000;
