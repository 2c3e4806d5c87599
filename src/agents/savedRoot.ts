/** A folder: names below an environment variable's, `~`, or `editor`, the `User` folder of the VS Code that runs this. */
export type SavedRoot = readonly [base: string, ...names: string[]];
