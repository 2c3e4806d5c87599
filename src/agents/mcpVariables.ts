/** Values for the variables in a client's file. */
export interface VariableValues {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** An absolute path; the first folder of the workspace for servers of the user. */
  readonly workspaceFolder?: string;
}

/** The variables of VS Code and Cursor: `${workspaceFolder}`, `${userHome}`, `${env:NAME}`. Others stay, such as `${input:NAME}`. */
export function editorVariables(text: string, { env, userHome, workspaceFolder }: VariableValues): string {
  return text.replace(/\$\{([^}]*)\}/g, (whole, name: string) => {
    if (name === 'userHome') return userHome;
    if (name.startsWith('env:')) return env[name.slice('env:'.length)] ?? '';
    return name === 'workspaceFolder' ? (workspaceFolder ?? whole) : whole;
  });
}

/** `${NAME}` and `${NAME:-default}`. Those without a value stay. */
export function bracedVariables(text: string, { env }: VariableValues): string {
  return text.replace(
    /\$\{(\w+)(?::-([^}]*))?\}/g,
    (whole, name: string, other?: string) => env[name] ?? other ?? whole,
  );
}

/** `$NAME` and `${NAME}`. Those without a value stay. */
export function shellVariables(text: string, { env }: VariableValues): string {
  return text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (whole, name?: string, braced?: string) => {
    return env[name ?? braced ?? ''] ?? whole;
  });
}
