/** An invalid command line or file of checks. The message says what to write instead. */
export class UsageError extends Error {}
