// @ts-check
// Writes one line to stderr and exits with 3 before it has read anything.
process.stderr.write('fatal: no configuration was found\n', () => process.exit(3));
