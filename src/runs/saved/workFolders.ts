/** How Claude Code and Qwen Code name the folder of a project: all but letters and digits as dashes. */
export function projectName(folder: string): string {
  return folder.replace(/[^A-Za-z0-9]/g, '-');
}

/** Folders that a session may have worked in. Agents write paths in other ways than VS Code, so they are compared as the system compares them. */
export class WorkFolders {
  private readonly folders: readonly string[];

  constructor(
    folders: readonly string[],
    private readonly platform: NodeJS.Platform,
  ) {
    this.folders = folders.map((folder) => this.comparable(folder).replace(/(?<=.)\/$/, ''));
  }

  /** Whether a folder is one of these, or below. */
  has(folder: string | undefined): boolean {
    if (folder === undefined) return false;
    const path = this.comparable(folder);
    return this.folders.some((one) => path === one || path.startsWith(one.endsWith('/') ? one : `${one}/`));
  }

  /** Whether a project may be one of these, or below, by its name. */
  mayHaveProject(name: string): boolean {
    // On macOS agents resolve links, and so put /private before it.
    const comparable = this.comparable(name).replace(/^-private(?=-(?:tmp|var|etc)(?:-|$))/, '');
    // Long names are cut and end in a hash.
    return this.folders.some((folder) => comparable.startsWith(projectName(folder).slice(0, 190)));
  }

  private comparable(path: string): string {
    switch (this.platform) {
      case 'win32': // VS Code writes drive letters small.
        return path.replaceAll('\\', '/').toLowerCase();
      case 'darwin': // /tmp, /var and /etc are links.
        return path
          .replace(/^\/private(?=\/(?:tmp|var|etc)(?:\/|$))/, '')
          .normalize()
          .toLowerCase();
      default:
        return path;
    }
  }
}
