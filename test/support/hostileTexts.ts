import type { HostileText } from './doubling';
import { hostileTexts } from './doubling';

/** Pieces of what agents, shells and runtimes print that readers look for. */
// prettier-ignore
const units: readonly string[] = [
  ' \r\n', 'a    ', 'ab-', '<title>', '\tat a.b.C(D.java:1)\n', 'main.f(0x1)\n\t/a.go:1 +0x1\n', 'AError', 'exit code 1\n', '1 failed ', 'npm error \n',
  '[ERROR] ', 'level=a ', '\n```', 'env ', 'a | ', 'grep a && ', '2>&1 ', 'A=b ', 'model ', 'limit exceeded ', 'retry attempt 1 ', 'a\u0301', '\u200d',
];

/** Units between a beginning that makes a reader start and an end that doesn't let it finish. */
const framed = (name: string, before: string, unit: string, after: string): HostileText => ({
  name,
  of: (length) => before + unit.repeat(Math.ceil(length / unit.length)) + after,
});

/** Texts that are hard to read in a field of a message. */
export const hostileFieldTexts: readonly HostileText[] = [
  ...hostileTexts(),
  ...hostileTexts(units),
  framed('an object that stays open', '{', '"a":', ''),
  framed('JSON in JSON', '{"error":"', '{\\"error\\":', '"}'),
  framed('a failed command with spaces', 'Exit code 1', ' ', 'x'),
  framed('a traceback without end', 'Traceback (most recent call last):\n', '  a\n', ' x'),
  framed('a stack without cause', 'Error: x\n', '    at f\n', 'x'),
  framed('JSON of an error', '{"error":{"message":"', 'Error: ', '"}}'),
  framed('an unfinished JSON text', '{"message":"', 'a', ''),
];
