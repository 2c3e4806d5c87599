import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { redactedLine } from '../../../runLog/reading/redactEvent';

/** The project name that Claude Code and Qwen Code derive from a folder: everything but letters and digits becomes a dash. */
export function projectName(folder: string): string {
  return folder.replace(/[^A-Za-z0-9]/g, '-');
}

/** Folders that a session may have worked in. Agents spell paths differently than VS Code, so they are compared by the rules of the system. */
export class WorkFolders {
  private readonly folders: readonly string[];
  /** How what is inside one of them begins. */
  private readonly beginnings: readonly string[];

  /** @param redactor that of the folders to compare with: those of sessions and journals are redacted; `undefined` if they aren't */
  constructor(
    folders: readonly string[],
    private readonly platform: NodeJS.Platform,
    redactor: LineRedactor | undefined,
  ) {
    const [separator, end] = platform === 'win32' ? ['\\', /(?<=.)[\\/]$/] : ['/', /(?<=.)\/$/];
    const spellings = (texts: readonly string[]): readonly string[] =>
      [...new Set(texts.flatMap((text) => [text, redactedLine(text, redactor)]))].map((text) => this.comparable(text));
    const bare = folders.map((folder) => folder.replace(end, ''));
    this.folders = spellings(bare);
    // With the separator, because a pattern may reach across it.
    this.beginnings = spellings(bare.map((folder) => (folder.endsWith(separator) ? folder : folder + separator)));
  }

  /** True if a folder is one of these or inside one. */
  has(folder: string | undefined): boolean {
    if (folder === undefined) return false;
    const path = this.comparable(folder);
    return this.folders.includes(path) || this.beginnings.some((one) => path.startsWith(one));
  }

  /** True if a project may be one of these or inside one, by its name. */
  mayHaveProject(name: string): boolean {
    // On macOS agents resolve symlinks, which adds /private.
    const comparable = this.comparable(name).replace(/^-private(?=-(?:tmp|var|etc)(?:-|$))/, '');
    // Long names are cut and end in a hash.
    return this.folders.some((folder) => comparable.startsWith(projectName(folder).slice(0, 190)));
  }

  private comparable(path: string): string {
    switch (this.platform) {
      case 'win32': // VS Code writes drive letters in lower case.
        return path.replaceAll('\\', '/').toLowerCase();
      case 'darwin': // /tmp, /var and /etc are symlinks.
        return path
          .replace(/^\/private(?=\/(?:tmp|var|etc)(?:\/|$))/, '')
          .normalize()
          .toLowerCase();
      default:
        return path;
    }
  }
}
