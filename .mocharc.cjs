// As the programs that tests start.
process.env['TZ'] = 'UTC';

// A test that only POSIX can pass is skipped on Windows, and on no other system.
module.exports = {
  'node-option': ['import=tsx'],
  require: ['./test/support/useKernel.mjs'],
  timeout: 300_000,
  'fail-zero': true,
  'forbid-only': true,
  'forbid-pending': process.platform !== 'win32',
};
