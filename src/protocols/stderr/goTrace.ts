const stack = /^(?:goroutine \d{1,20} .{0,200}\[|runtime stack:$)/;
const functionName = /^(?:created by \S|\.\.\.(?:additional|\d{1,10}) frames elided|[\w./-][^\s(]{0,500}\(.*)/;

/** Whether a line announces a Go stack. */
export function isGoStack(line: string): boolean {
  return stack.test(line);
}

/** Whether a line belongs to a stack: function names are unindented, each above its location. */
export function isInGoStack(line: string, before: string): boolean {
  if (line.startsWith('\t')) return true;
  if (!before.startsWith('\t') && !stack.test(before)) return false;
  return functionName.test(line) && (line.endsWith(')') || !line.includes('('));
}

/** Whether a line continues a panic. */
export function goesOnInGo(last: string, line: string): boolean {
  return line.startsWith('[signal ') || stack.test(line) || isInGoStack(line, last);
}
