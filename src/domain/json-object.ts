/** What people may put into `address`, `fiscal_config` and `device_config`: a JSON object, stored as it came. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * What ties a schema, by the type `S` of what it lets pass, to the type `T` of the program: each member of the schema
 * has to be one of the type, of the same type, and optional only if it is optional there. A mismatch does not compile.
 */
export type Tied<T, S> = {
  [K in keyof S]-?: K extends keyof T
    ? Same<Pick<S, K>, Pick<T, K>> extends true
      ? unknown
      : { 'this schema is not the type of the member': T[K] }
    : { 'the type has no such member': K }
}

type Same<A, B> = [A, B] extends [B, A] ? true : false
