// A test that only POSIX can pass is skipped on Windows, and on no other system.
module.exports = {
  spec: ['test/unit/**/*.test.ts'],
  'node-option': ['import=tsx'],
  timeout: 20000,
  'forbid-only': true,
  'forbid-pending': process.platform !== 'win32',
};
