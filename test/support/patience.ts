/** How long a test waits for what must happen: a busy machine may take long. What must not happen is waited for shortly. */
export const PATIENCE_MS = 100_000
