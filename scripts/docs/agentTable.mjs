// @ts-check
import { savers } from '../../src/agents/agents';

/** Where each agent saves its sessions, and the variables that move them. */
export function folderTable() {
  const rows = savers.map(({ label, saved: { roots, hasSeveralRoots, database } }) => {
    const folder = hasSeveralRoots ? 'several, see below' : `\`${roots.find(([base]) => base === '~')?.join('/')}\``;
    const bases = roots.map(([base]) => base).filter((base) => base !== '~' && base !== 'editor');
    const names = [...new Set([...bases, database?.fileVariable])].flatMap((name) =>
      name === undefined ? [] : `\`${name}\``,
    );
    return `| ${label} | ${folder} | ${names.join(', ')} |`;
  });
  return ['| Agent | Folder | Moved by |', '| --- | --- | --- |', ...rows].join('\n');
}
