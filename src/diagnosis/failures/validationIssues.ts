import { arrayOf, objectOf, textOf } from '../../protocols/json';

/** Zod and others that print issues as JSON. */
const beginsList = /\[$/;
/** Pydantic lists the fields below, each with its problem indented. */
const announcesFields = /\b\d+ validation errors? for \S+$/;
/** Details for developers. */
const fieldDetails = / \[type=.*$/;
const maxLines = 100;
const maxIssues = 3;

/** Adds the failed fields from the lines below to a line that reports a failed validation. */
export function withIssues(line: string, below: readonly string[]): string {
  if (beginsList.test(line)) {
    const issues = issuesOf(below.slice(0, maxLines));
    return issues.length === 0 ? line : `${line.replace(beginsList, '').trimEnd()} ${listed(issues)}`;
  }
  if (!announcesFields.test(line)) return line;
  const fields = fieldsOf(below.slice(0, maxLines));
  return fields.length === 0 ? line : `${line}: ${listed(fields)}`;
}

function issuesOf(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => line.startsWith(']'));
  if (end < 0) return [];
  try {
    const issues: unknown = JSON.parse(`[${lines.slice(0, end).join('\n')}]`);
    return arrayOf(issues).flatMap((issue) => {
      const { path, message } = objectOf(issue);
      const text = textOf(message);
      if (text === undefined) return [];
      const where = arrayOf(path).slice(0, 10).map(String).join('.');
      return [where === '' ? text : `${where}: ${text}`];
    });
  } catch {
    return [];
  }
}

function fieldsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line, i) => {
    const trouble = lines[i + 1] ?? '';
    const isField = /^\S+$/.test(line) && /^\s+\S/.test(trouble);
    return isField ? [`${line}: ${trouble.trim().replace(fieldDetails, '')}`] : [];
  });
}

function listed(all: readonly string[]): string {
  const more = all.length - maxIssues;
  return `${all.slice(0, maxIssues).join('; ')}${more > 0 ? `, and ${more} more` : ''}`;
}
