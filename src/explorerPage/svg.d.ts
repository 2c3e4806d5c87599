/** The build makes of a symbol the `d` attributes of its paths. */
declare module '*.svg' {
  const paths: readonly string[];
  export default paths;
}
