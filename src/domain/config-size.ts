/**
 * Of a configuration or an address, as JSON: every sale reads the configuration of its device and its company, and a list
 * may show 200 of them.
 */
export const CONFIG_BYTES = 32 * 1024
