/** A use case with its context given: the same function without its first parameter. */
export type Wired<UseCase> = UseCase extends (context: never, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never

/** The use cases of a room as its callers have them. */
export type WiredAll<UseCases> = { [K in keyof UseCases]: Wired<UseCases[K]> }

export function wired<Context, UseCases extends Record<string, (context: Context, ...rest: never[]) => unknown>>(
  context: Context,
  useCases: UseCases,
): WiredAll<UseCases> {
  const all = Object.entries(useCases).map(([name, useCase]) => [name, useCase.bind(undefined, context)])
  return Object.fromEntries(all) as WiredAll<UseCases>
}
