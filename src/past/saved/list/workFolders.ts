import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { redactedLine } from '../../../runLog/reading/redactEvent';

/** The project name that Claude Code and Qwen Code derive from a folder: everything but letters and digits becomes a dash. */
export function projectName(folder: string): string {
  return folder.replace(/[^A-Za-z0-9]/g, '-');
}

/** Folders that a session may have worked in. Agents spell paths differently than VS Code, so they are compared by the rules of the system. */
export class WorkFolders {
  private readonly folders: readonly string[];

  /** @param redactor that of the folders to compare with: those of sessions and journals are redacted */
  constructor(
    folders: readonly string[],
    private readonly platform: NodeJS.Platform,
    redactor?: LineRedactor,
  ) {
    const spellings = new Set(folders.flatMap((folder) => [folder, redactedLine(folder, redactor)]));
    this.folders = [...spellings].map((folder) => this.comparable(folder).replace(/(?<=.)\/$/, ''));
  }

  /** True if a folder is one of these or inside one. */
  has(folder: string | undefined): boolean {
    if (folder === undefined) return false;
    const path = this.comparable(folder);
    return this.folders.some((one) => path === one || path.startsWith(one.endsWith('/') ? one : `${one}/`));
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
