// @ts-check
// Reads everything and never answers. Exits with code 0 when stdin ends.
process.stdin.resume();
