import assert from 'node:assert/strict';
import { tellingLines } from '../../../src/protocols/stderr/tellingLines';

const log = 'npm error A complete log of this run can be found in: /home/u/.npm/_logs/x-debug-0.log';

const cases: [string, string, string[]][] = [
  ['text is kept', 'one\n\n  two \nat last\nthree', ['one', '  two', 'three']],
  ['what says nothing is better than nothing', '    at x (a.js:1:2)\n', ['    at x (a.js:1:2)']],
  [
    'an exception of Node.js is without its stack',
    "Error: Cannot find module 'x'\nRequire stack:\n- /x/error.js\n    at x {\n  code: 'X'\n}\n\nNode.js v22.14.0",
    ["Error: Cannot find module 'x'", "  code: 'X'", '}'],
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

describe('the telling lines of standard error', () => {
  for (const [name, text, telling] of cases) it(name, () => assert.deepEqual(tellingLines(text.split('\n')), telling));

  it('are found in linear time', () => {
    for (const start of ['', 'npm error ', 'panic: ', "thread 'a' panicked at ", 'goroutine 1 ']) {
      for (const unit of ['a/', ' ', '/_log', ':1', "'", '[', '(']) {
        const long = start + unit.repeat(200_000);
        tellingLines(['goroutine 1 [running]:', long, 'stack backtrace:', long, 'Require stack:', long]);
      }
    }
  });
});
