// @ts-check
import { savers } from '../../src/agents/agents';

/** Where each agent saves its sessions, and the variables that move them. */
export function folderTable() {
  const rows = savers.map(({ label, saved: { roots, database } }) => {
    const folder = roots.find(([base]) => base === '~')?.join('/');
    const variables = [...roots.map(([base]) => base).filter((base) => base !== '~'), database?.fileVariable];
    const names = variables.flatMap((name) => (name === undefined ? [] : `\`${name}\``));
    return `| ${label} | \`${folder}\` | ${names.join(', ')} |`;
  });
  return ['| Agent | Folder | Moved by |', '| --- | --- | --- |', ...rows].join('\n');
}
