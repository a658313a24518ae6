/**
 * The maximum size of a configuration or address, as JSON: every sale reads the configuration of its device and
 * company, and a list may show 200 of these objects.
 */
export const CONFIG_BYTES = 32 * 1024
