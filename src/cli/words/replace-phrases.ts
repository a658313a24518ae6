export const REPLACE_PHRASES: Readonly<Record<string, string>> = {}
