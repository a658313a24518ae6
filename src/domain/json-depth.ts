/** Far above any sale or configuration, and far below the depth at which serialising would overflow the stack. */
export const MAX_DEPTH = 32

/** Whether a JSON value is nested more than this many levels deep. */
export function isTooDeep(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1))
}
