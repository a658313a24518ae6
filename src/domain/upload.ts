/** Of a PKCS#12 file; real ones have some kilobytes (interface.md, Limits). */
export const CERTIFICATE_FILE_BYTES = 256 * 1024

/** Of a list of devices (interface.md, Limits). */
export const IMPORT_FILE_BYTES = 1024 * 1024
export const IMPORT_ROWS = 5000
/** Rows with line breaks in them, and blank lines between them, are no reason to read for ever. */
export const IMPORT_LINES = 20_000
