/** How fields that are no texts, numbers or bytes are stored: by their names, as JSON text or as 0 and 1. */
interface Kinds<Json, Flag> {
  json?: readonly Json[]
  flags?: readonly Flag[]
}

/** A model, or a part of it, as columns. */
type Written<Part, Json, Flag> = {
  [K in keyof Part]: K extends Json
    ? Extract<Part[K], null | undefined> | string
    : K extends Flag
      ? Extract<Part[K], undefined> | number
      : Part[K]
}

/**
 * Translates between the fields of a model and the columns of its table, which has the same names. Fields that are left
 * out, as in a change, stay left out; a JSON field that is null is NULL.
 */
export function columnsOf<Model>() {
  return <const Json extends keyof Model & string = never, const Flag extends keyof Model & string = never>({
    json = [],
    flags = [],
  }: Kinds<Json, Flag>) => ({
    toColumns<Part extends Partial<Model>>(part: Part): Written<Part, Json, Flag> {
      const row: Record<string, unknown> = { ...part }
      for (const name of json) if (row[name] != null) row[name] = JSON.stringify(row[name])
      for (const name of flags) if (row[name] !== undefined) row[name] = Number(row[name])
      return row as Written<Part, Json, Flag>
    },
    /** Without the position in the outbox of a gateway, which no model has. */
    toModel<Row extends (Written<Model, Json, Flag> & { syncVersion?: number }) | undefined>(row: Row) {
      if (row === undefined) return undefined as Found<Row, Model>
      const { syncVersion: _version, ...model } = row as Record<string, unknown>
      for (const name of json) if (model[name] !== null) model[name] = JSON.parse(model[name] as string)
      for (const name of flags) model[name] = model[name] === 1
      return model as Found<Row, Model>
    },
  })
}

/** Undefined only where the row may be. */
type Found<Row, Model> = Model | Extract<Row, undefined>
