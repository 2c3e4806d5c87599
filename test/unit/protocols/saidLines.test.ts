import assert from 'node:assert/strict';
import { saidIn } from '../../../src/protocols/stderr/saidLines';

const log = 'npm error A complete log of this run can be found in: /home/u/.npm/_logs/x-debug-0.log';

const cases: [string, string, string[]][] = [
  ['text is kept', 'one\n\n  two \nat last\nthree', ['one', '  two', 'at last', 'three']],
  [
    'a frame is none where it is not indented, either',
    'Error: no\nat main (/x/a.js:1:2)\nat /x/a.js:1:2',
    ['Error: no'],
  ],
  [
    'what Node.js quotes of the code is not what was said',
    "/x/n4.js:1\nthrow 'a string';\n^\na string\n(Use `node --trace-uncaught ...` to show where the exception was thrown)\n\nNode.js v20.20.2",
    ['a string'],
  ],
  [
    'an exception of Node.js is without its fields',
    "AuthenticationError: 401 invalid\n    at main (/x/n31.js:4:13)\n    at node:internal/main/run_main_module:28:49 {\n  status: 401,\n  error: {\n    error: { type: 'authentication_error', message: 'invalid x-api-key' }\n  }\n}\n\nNode.js v20.20.2",
    ['AuthenticationError: 401 invalid'],
  ],
  [
    'of the fields what caused it is kept',
    'TypeError: fetch failed\n    at x (node:a:1:1) {\n  [cause]: Error: connect ECONNREFUSED 127.0.0.1:9\n      at y (node:b:1:1) {\n    errno: -111\n  }\n}',
    ['TypeError: fetch failed', '  [cause]: Error: connect ECONNREFUSED 127.0.0.1:9'],
  ],
  ['the fields of what is no exception are kept', 'failed {\n  code: 7\n}', ['failed {', '  code: 7', '}']],
  [
    'an exception in a group is without its bars',
    '  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n  +-+---------------- 1 ----------------\n    | ValueError: bad config\n    +------------------------------------',
    ['ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)', 'ValueError: bad config'],
  ],
  [
    'a backtrace of anyhow is left out',
    'Error: failed to load config\n\nCaused by:\n    No such file\n\nStack backtrace:\n   0: anyhow::error::<impl>::from\n             at /x/y.rs:1:1\n   1: main',
    ['Error: failed to load config', 'Caused by:', '    No such file'],
  ],
  ['what says nothing is better than nothing', '    at x (a.js:1:2)\n', ['    at x (a.js:1:2)']],
  [
    'an exception of Node.js is without its stack',
    "Error: Cannot find module 'x'\nRequire stack:\n- /x/error.js\n    at x {\n  code: 'X'\n}\n\nNode.js v22.14.0",
    ["Error: Cannot find module 'x'"],
  ],
  ['a list is kept', 'missing:\n- a\n- b', ['missing:', '- a', '- b']],
  [
    'a panic of Rust is one line with its reason',
    "thread 'main' (7) panicked at src/main.rs:2:5:\nindex out of bounds\nstack backtrace:\n   0: a::error::main\n             at ./src/main.rs:2:5\nnote: Some details are omitted, run with",
    ["thread 'main' (7) panicked at src/main.rs:2:5: index out of bounds"],
  ],
  [
    'a panic of Go is without its stacks',
    'panic: no\n\ngoroutine 1 [running]:\npanic({0x1, 0x2})\n\t/go/src/errors/error.go:9 +0x16\nmain.main()\n\t/x/main.go:3\nexit status 2',
    ['panic: no', 'exit status 2'],
  ],
  [
    'what is indented by a tab is kept elsewhere',
    'failed:\n\terror: no\nmain (again)',
    ['failed:', '\terror: no', 'main (again)'],
  ],
  [
    'a sentence of Windows is one line',
    "'node' is not recognized as an internal or external command,\noperable program or batch file.",
    ["'node' is not recognized as an internal or external command, operable program or batch file."],
  ],
  [
    'of npm the first line that is about what failed',
    `npm error code ENOTFOUND\nnpm error syscall getaddrinfo\nnpm error errno ENOTFOUND\nnpm error network request failed\nnpm error network This is a problem\nnpm error network\n${log}`,
    ['npm error network request failed'],
  ],
  [
    'of older versions of npm, too',
    'npm ERR! code E404\nnpm ERR! 404 Not Found - GET x\nnpm ERR! 404 \n\nnpm ERR! A complete log of this run can be found in:\nnpm ERR!     /home/u/.npm/_logs/x-debug-0.log',
    ['npm ERR! 404 Not Found - GET x'],
  ],
  [
    'of npm without a code',
    `npm error Missing script: "x"\nnpm error\nnpm error To see a list, run:\n${log}`,
    ['npm error Missing script: "x"'],
  ],
  [
    'a script that npm has run tells itself why it failed',
    `Error: no\nnpm error Lifecycle script \`start\` failed with error:\nnpm error code 1\nnpm error path /x\nnpm error command failed\nnpm error command sh -c node a.js\n${log}`,
    ['Error: no'],
  ],
  [
    'what npm says of a script is kept',
    'npm error code 1\nnpm error command failed\nnpm error gyp info it worked\nnpm error gyp ERR! no Python',
    ['npm error gyp info it worked', 'npm error gyp ERR! no Python'],
  ],
];

describe('what the lines of an entry on stderr say', () => {
  for (const [name, text, telling] of cases) it(name, () => assert.deepEqual(saidIn(text.split('\n')).lines, telling));

  it('are found in linear time', () => {
    for (const start of ['', 'npm error ', 'panic: ', "thread 'a' panicked at ", 'goroutine 1 ']) {
      for (const unit of ['a/', ' ', '/_log', ':1', "'", '[', '(']) {
        const long = start + unit.repeat(200_000);
        saidIn(['goroutine 1 [running]:', long, 'stack backtrace:', long, 'Require stack:', long]);
      }
    }
  });
});
