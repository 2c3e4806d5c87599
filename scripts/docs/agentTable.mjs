// @ts-check
import { agents, savers } from '../../src/agents/agents';

/** Where each agent saves its sessions, and the variables that move them. */
export function folderTable() {
  const rows = savers.map(({ label, saved }) => {
    const { roots, otherRoots = [], hasSeveralRoots } = saved;
    const usual = [roots.find(([base]) => base === '~') ?? [], ...otherRoots].map(asPath);
    const folder = hasSeveralRoots ? 'several, see below' : usual.join(', ');
    const bases = roots.map(([base]) => base).filter((base) => base !== '~' && base !== 'editor');
    const names = [...new Set([...bases, saved.type === 'database' ? saved.database.fileVariable : undefined])].flatMap(
      (name) => (name === undefined ? [] : `\`${name}\``),
    );
    return `| ${label} | ${folder} | ${names.join(', ')} |`;
  });
  return ['| Agent | Folder | Moved by |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Where each client keeps the MCP servers that it starts, and the variables that move the user's files. */
export function mcpFileTable() {
  const rows = agents.flatMap(({ label, mcp }) => {
    if (!mcp) return [];
    const inFolder = mcp.files.flatMap(({ place, paths }) => (place.type === 'workspace' ? paths : []));
    const ofUser = mcp.files.flatMap(({ place, paths }) =>
      place.type === 'user' ? [{ roots: place.roots, paths }] : [],
    );
    const roots = ofUser.flatMap(({ roots }) => roots.map(([base]) => base));
    const inHome = ofUser.flatMap(({ roots, paths }) =>
      paths.map((names) => [...(roots.find(([base]) => base === '~') ?? []), ...names]),
    );
    const cells = [
      mcp.client ?? label,
      inFolder.map(asPath).join(', '),
      `${inHome.map(asPath).join(', ')}${roots.includes('editor') ? ' of the profile' : ''}`,
      roots
        .filter((base) => base !== '~' && base !== 'editor')
        .map((name) => `\`${name}\``)
        .join(', '),
    ];
    return [`| ${cells.join(' | ')} |`];
  });
  return ['| Client | Workspace | User | Moved by |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** With what each agent's stream was tried. */
export function streamTable() {
  const rows = agents.flatMap(({ label, stream }) => (stream ? [`| ${label} | ${triedWith(stream)} |`] : []));
  return ['| Agent | Tried with |', '| --- | --- |', ...rows].join('\n');
}

/** With what each agent was tried, and what is read. */
export function sessionTable() {
  const rows = savers.map(({ label, saved }) => {
    return `| ${[label, triedWith(saved), savedAs(saved), runsBy(saved), alsoRead(saved)].join(' | ')} |`;
  });
  return ['| Agent | Tried with | Saved as | Runs if | Also read |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

/** What says that a session of each agent waits for its user. */
export function waitTable() {
  const rows = savers.map(({ label, saved: { waits } }) => {
    const tools = Object.keys(waits.tools).map((name) => `\`${name}\``);
    const calls = tools.length === 0 ? [] : [`an open call of ${tools.join(', ')}`];
    const said = [...waits.records, ...calls].join('; ');
    return `| ${label} | ${said === '' ? 'nothing' : said} | ${permissions[waits.permissions]} |`;
  });
  return ['| Agent | Says that it waits | Permissions |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Which agents delete their sessions, and the setting that says when. */
export function deletionTable() {
  const rows = savers.map(({ label, saved: { deletion } }) => {
    const { asOf = 'not looked at', rule, age } = deletion;
    return `| ${label} | ${rule} | ${age ? `\`${age.setting}\` in \`${age.file}\`` : ''} | ${asOf} |`;
  });
  return ['| Agent | By itself | Setting | As of |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** @type {Record<import('../../src/agents/savedForm').WaitForm['permissions'], string>} */
const permissions = { recorded: 'known', unrecorded: 'not saved: the tool seems to run', none: 'asks for none' };

/** @typedef {import('../../src/agents/savedForm').SavedForm} SavedForm */

/** @param {{ tried: import('../../src/agents/tried').Tried }} form */
function triedWith({ tried: { version, recorded } }) {
  const known = [
    ...(version === undefined ? [] : [version]),
    ...(recorded === undefined ? [] : [`recordings of ${recorded}`]),
  ];
  return known.length === 0 ? 'nothing: it follows the source' : known.join(', ');
}

/** @param {SavedForm} saved */
function savedAs(saved) {
  if (saved.type === 'database') return `rows of \`${saved.database.file}\``;
  if (saved.type === 'changes') return 'a log of changes';
  const { document, files, subagents, timeInId } = saved;
  const isDocument =
    document !== undefined &&
    files.some((one) => ('file' in one ? one.file('').endsWith('.json') : one.name.source.endsWith('json$')));
  const form = isDocument ? 'a JSON document' : 'JSON lines';
  return subagents || timeInId ? `${form}, also for each subagent` : form;
}

/** @param {SavedForm} saved */
function runsBy(saved) {
  if (saved.type === 'changes') return 'its request is open, and this VS Code has run since';
  if (saved.type === 'files' && saved.marks?.type === 'locked') return 'a process holds its lock';
  if (saved.programs === undefined) return 'its process runs';
  return 'its turn is open, and its program has run in its folder since (Linux, macOS)';
}

/** @param {SavedForm} saved */
function alsoRead(saved) {
  const { beside } = saved;
  const folderFile = saved.type === 'database' ? undefined : saved.folderFile;
  return [
    ...(saved.type === 'files' && saved.about ? ['the file that describes it'] : []),
    ...(folderFile ? [`\`${folderFile.name}\``] : []),
    ...(beside?.retries ? ['retries from the log'] : []),
    ...(beside?.linesAre ? [beside.linesAre] : []),
    ...(beside?.titles ? ['titles'] : []),
  ].join(', ');
}

/** @param {readonly string[]} names */
function asPath(names) {
  return `\`${names.join('/')}\``;
}
