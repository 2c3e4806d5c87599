// @ts-check
// Writes one line to stderr and exits with code 3 before reading anything.
process.stderr.write('fatal: no configuration was found\n', () => process.exit(3));
