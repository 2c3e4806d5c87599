import assert from 'node:assert/strict';
import { readStderrLine } from '../../../src/protocols/stderr/stderrLine';

describe('level names on stderr that are specific to some programs', () => {
  const local = Date.parse('2026-11-20 12:00:00');
  const cases: [string, ReturnType<typeof readStderrLine>][] = [
    ['2026-11-20 12:00:00 WRN slow', { level: 'warning', time: local, message: 'slow' }],
    ['2026/11/20 12:00:00 ERRO failed err=no', { level: 'error', time: local, message: 'failed err=no' }],
    [
      'INFO  2026-11-28T12:49:00 +12ms service=x begun',
      { level: 'info', time: Date.parse('2026-11-28T12:49:00Z'), message: 'service=x begun' },
    ],
    ['3:04PM ERR failed', { level: 'error', message: 'failed' }],
    ['ERRO[0012] failed', { level: 'error', message: 'failed' }],
    ['INFO[0000] ready', { level: 'info', message: 'ready' }],
    ['fail: McpServer[1]', { level: 'error', message: 'McpServer[1]' }],
    ['dbug: A[0]', { level: 'debug', message: 'A[0]' }],
    ['trce: A[0]', { level: 'debug', message: 'A[0]' }],
    ['SEVERE: failed to start', { level: 'error', message: 'failed to start' }],
  ];
  for (const [line, expected] of cases) it(line, () => assert.deepEqual(readStderrLine(line), expected));

  const whole: [string, 'error' | 'warning'][] = [
    ['npm error code E404', 'error'],
    ['npm ERR! code E404', 'error'],
    ['npm warn deprecated x', 'warning'],
    ['Unhandled exception. System.InvalidOperationException: no', 'error'],
    ['Exception in thread "main" java.lang.NullPointerException', 'error'],
    ["thread 'main' (7) has overflowed its stack", 'error'],
    ['Fatal Python error: Segmentation fault', 'error'],
  ];
  for (const [message, level] of whole) {
    it(message, () => assert.deepEqual(readStderrLine(message), { level, message }));
  }

  for (const message of [
    '3:04PM is when it failed',
    'fail to read it',
    'npm notice new version',
    'ERROR[x] no',
    'PANI is',
  ]) {
    it(`are not found in "${message}"`, () => assert.deepEqual(readStderrLine(message), { message }));
  }

  it('are parsed in linear time', () => {
    for (const start of [
      '',
      'npm ',
      'Exception in thread "',
      'Unhandled exception. ',
      '3:04PM ',
      'ERRO[',
      "thread '",
    ]) {
      for (const unit of ['" ', '1', '[', "' ", ' ', ' - ', '. ']) readStderrLine(start + unit.repeat(200_000));
    }
  });
});
