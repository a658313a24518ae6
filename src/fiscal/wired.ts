/** A use case with its dependencies given: the same function without its first parameter. */
export type Wired<UseCase> = UseCase extends (dependencies: never, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never
