// @ts-check

/** A VS Code whose terminal this runs in must not tell the ones that are started here what they are. */
export function forgetOuterVsCode() {
  for (const name of Object.keys(process.env)) {
    if (/^(VSCODE|ELECTRON)_/.test(name)) Reflect.deleteProperty(process.env, name);
  }
}
