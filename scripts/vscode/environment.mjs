// @ts-check

/** Removes the variables of the VS Code whose terminal this runs in, which would confuse the ones started here. */
export function forgetOuterVsCode() {
  for (const name of Object.keys(process.env)) {
    if (/^(VSCODE|ELECTRON)_/.test(name)) Reflect.deleteProperty(process.env, name);
  }
}
