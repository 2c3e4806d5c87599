// @ts-check
// Reads everything and never answers anything. Exits with 0 when stdin ends.
process.stdin.resume();
