import { arrayOf, objectOf, textOf } from '../../protocols/json';

/** Zod, and whoever prints its issues as JSON. */
const beginsList = /\[$/;
/** Pydantic: the fields stand below, each with its trouble indented. */
const announcesFields = /\b\d+ validation errors? for \S+$/;
/** What is said besides, for whoever looks into the code. */
const fieldDetails = / \[type=.*$/;
const maxLines = 100;
const maxIssues = 3;

/** A line that says only that a check of values failed, with what failed, which the lines below have. */
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
