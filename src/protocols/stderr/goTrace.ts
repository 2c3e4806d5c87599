const stack = /^(?:goroutine \d{1,20} .{0,200}\[|runtime stack:$)/;
const functionName = /^(?:created by \S|\.\.\.(?:additional|\d{1,10}) frames elided|[\w./-][^\s(]{0,500}\(.*)/;

/** Whether a line says of which stack the lines below are. */
export function isGoStack(line: string): boolean {
  return stack.test(line);
}

/** Whether a line is one of a stack: its functions stand unindented, each above its place. */
export function isInGoStack(line: string, before: string): boolean {
  if (line.startsWith('\t')) return true;
  if (!before.startsWith('\t') && !stack.test(before)) return false;
  return functionName.test(line) && (line.endsWith(')') || !line.includes('('));
}

/** Whether a line goes on with a panic. */
export function goesOnInGo(last: string, line: string): boolean {
  return line.startsWith('[signal ') || stack.test(line) || isInGoStack(line, last);
}
