/** What people may put into `address`, `fiscal_config` and `device_config`: a JSON object, stored as it came. */
export type JsonObject = Readonly<Record<string, unknown>>
